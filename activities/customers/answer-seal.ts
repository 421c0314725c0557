/**
 * Seals what stored answers to requests tell of a person with that person's key, so that it goes with the key. Caller: the HTTP
 * base, as its `AnswerSeal`. Both answer undefined when there is no such key (any more).
 */
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerKeys } from './customer-keys.ts';

const PURPOSE = 'answer';

export class CustomerAnswerSeal {
  readonly #keys: CustomerKeys;

  constructor(keys: CustomerKeys) {
    this.#keys = keys;
  }

  async seal(customerNumber: CustomerNumber, body: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#keys.findOf(customerNumber))?.sealBytes(PURPOSE, body);
  }

  async open(customerNumber: CustomerNumber, sealed: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#keys.findOf(customerNumber))?.openBytes(PURPOSE, sealed);
  }
}
