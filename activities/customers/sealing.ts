/**
 * Personal data as it is kept: sealed with the data key of one profile, bound to its customer number and to what it is, so that
 * no piece opens in another profile or another place. Callers: the stores of this folder. Holds a data key in memory, so it
 * lives no longer than a request.
 */

import { openBytes, sealBytes } from '../../platform/keys/aes-gcm.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';

export class Sealing {
  readonly #key: Uint8Array;
  readonly #customerNumber: CustomerNumber;

  constructor(dataKey: Uint8Array, customerNumber: CustomerNumber) {
    this.#key = dataKey;
    this.#customerNumber = customerNumber;
  }

  /** Of JSON. `purpose` says what it is and where it stands, as `profile` or `preferences/seat`. */
  seal(purpose: string, value: unknown): Buffer {
    return this.sealBytes(purpose, Buffer.from(JSON.stringify(value)));
  }

  /** Throws when it was not sealed so, here. */
  open<T>(purpose: string, sealed: Uint8Array): T {
    return JSON.parse(this.openBytes(purpose, sealed).toString()) as T;
  }

  sealBytes(purpose: string, plain: Uint8Array): Buffer {
    return sealBytes(this.#key, plain, this.#place(purpose));
  }

  openBytes(purpose: string, sealed: Uint8Array): Buffer {
    return openBytes(this.#key, sealed, this.#place(purpose));
  }

  #place(purpose: string): string {
    return `${this.#customerNumber}/${purpose}`;
  }
}
