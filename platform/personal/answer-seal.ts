/**
 * Seals stored answers about a subject with that subject's key, so that they are erased with the key. Caller: the HTTP
 * base. Both methods answer undefined when the subject has no key.
 */
import type { SubjectId } from './subject-id.ts';
import type { SubjectKeys } from './subject-keys.ts';

const PURPOSE = 'answer';

export class AnswerSeal {
  readonly #keys: Pick<SubjectKeys, 'findOf'>;

  constructor(keys: Pick<SubjectKeys, 'findOf'>) {
    this.#keys = keys;
  }

  async seal(subject: SubjectId, body: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#keys.findOf(subject))?.sealBytes(PURPOSE, body);
  }

  async open(subject: SubjectId, sealed: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#keys.findOf(subject))?.openBytes(PURPOSE, sealed);
  }
}
