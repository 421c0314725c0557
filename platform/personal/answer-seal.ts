/**
 * Seals stored answers about a subject with that subject's key, so that erasing the key erases them. They are bound to
 * the scope of one request, so that they answer no other. Caller: the HTTP base. Both methods answer undefined when the
 * subject has no key.
 */
import type { SubjectId } from './subject-id.ts';
import type { SubjectKeys } from './subject-keys.ts';

export class AnswerSeal {
  readonly #keys: Pick<SubjectKeys, 'findOf'>;

  constructor(keys: Pick<SubjectKeys, 'findOf'>) {
    this.#keys = keys;
  }

  async seal(subject: SubjectId, scope: string, body: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#keys.findOf(subject))?.sealBytes(purposeOf(scope), body);
  }

  async open(subject: SubjectId, scope: string, sealed: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#keys.findOf(subject))?.openBytes(purposeOf(scope), sealed);
  }
}

function purposeOf(scope: string): string {
  return `answer/${scope}`;
}
