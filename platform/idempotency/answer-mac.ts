/**
 * Proves that the API stored an answer. The MAC, under a key derived from `IDEMPOTENCY_KEYS`, covers the key's place
 * and everything that a repeat is answered. Other processes may write the collection, and a writer must not choose the
 * answer to a repeat of a payment. Caller: the HTTP base, at every replay.
 *
 * An answer about a person has a second MAC, which stays when the answer is erased. It proves that there was an answer
 * that may be erased. Removed records cannot be noticed.
 */
import { createHash } from 'node:crypto';
import type { KeyRing } from '../keys/key-ring.ts';
import { RecordMac } from '../keys/record-mac.ts';
import type { AnswerMarks, StoredAnswer } from './stored-answer.ts';

/** Which request was answered. */
export interface AnswerPlace {
  /** Hash of organisation, client, method, path and key. */
  readonly scope: string;
  readonly workId: string;
}

export class AnswerMac {
  readonly #mac: RecordMac;

  /** `keys`: those of `IDEMPOTENCY_KEYS`. */
  constructor(keys: KeyRing) {
    this.#mac = new RecordMac(keys, 'idempotency');
  }

  make(place: AnswerPlace, fingerprint: string, answer: StoredAnswer): AnswerMarks {
    const mac = this.#mac.make(membersOf(place, fingerprint, answer));
    return { mac, ...(answer.subject !== undefined && { erasureMac: this.#mac.make(erasureOf(place)) }) };
  }

  isRight(place: AnswerPlace, fingerprint: string, answer: StoredAnswer, mac: string | undefined): boolean {
    return this.#mac.isRight(membersOf(place, fingerprint, answer), mac);
  }

  mayBeErased(place: AnswerPlace, erasureMac: string | undefined): boolean {
    return this.#mac.isRight(erasureOf(place), erasureMac);
  }
}

function membersOf({ scope, workId }: AnswerPlace, fingerprint: string, answer: StoredAnswer): readonly unknown[] {
  const { status, headers, body, subject = null } = answer;
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return ['answer', scope, workId, fingerprint, status, headers, bodyHash, subject];
}

function erasureOf({ scope, workId }: AnswerPlace): readonly string[] {
  return ['erased', scope, workId];
}
