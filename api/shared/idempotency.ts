/**
 * Handles the `Idempotency-Key` of one request. It claims the key, replays the stored answer, and refuses another
 * request under the same key. While the handler works it renews the lease; then it stores the answer or releases the
 * key. Made by the endpoint for each write.
 */
import { randomUUID } from 'node:crypto';
import type { AnswerMac } from '../../platform/idempotency/answer-mac.ts';
import {
  type ClaimOutcome,
  type IdempotencyStore,
  LEASE_MS,
  type Lease,
} from '../../platform/idempotency/idempotency-store.ts';
import type { Fingerprints, RequestFingerprints } from '../../platform/idempotency/request-fingerprints.ts';
import type { StoredAnswer } from '../../platform/idempotency/stored-answer.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import { erased, inProgress, invalidAnswer, keyReused } from './idempotency-refusals.ts';
import type { Idempotency, IdempotencyClaim, KeptReply, Reply } from './operation.ts';
import type { RequestContext } from './request-context.ts';
import { flattenReply } from './send.ts';

/** Not stored: a corrected or later try under the same key must work. */
const UNSTORED_STATUSES = new Set([400, 401, 403, 406, 408, 413, 415, 429]);

/**
 * Seals answers about a subject with that subject's key, so destroying the key destroys them, and for the scope of one key of
 * a caller. Both methods return undefined when the subject has no key (any more).
 */
export interface AnswerSeal {
  seal(subject: SubjectId, scope: string, body: Uint8Array): Promise<Uint8Array | undefined>;
  /** Throws when it was sealed for another scope. */
  open(subject: SubjectId, scope: string, sealed: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Dependencies of the keys of a server. */
export interface IdempotencyParts {
  readonly store: IdempotencyStore;
  readonly fingerprints: RequestFingerprints;
  readonly answerMac: AnswerMac;
}

/** The idempotency of a write without a key: claims nothing, replays nothing. */
export function unkeyed(): Idempotency {
  const claim: IdempotencyClaim = { workId: randomUUID(), bodyKnown: false, identify: async () => undefined };
  return { claim: async () => claim };
}

type Obtained = Exclude<ClaimOutcome, { kind: 'in progress' | 'erased' }>;

export class KeySession implements Idempotency {
  readonly #store: IdempotencyStore;
  readonly #seal: AnswerSeal | undefined;
  readonly #fingerprints: RequestFingerprints;
  readonly #answerMac: AnswerMac;
  readonly #scope: string;
  readonly #context: RequestContext;
  #outcome: Obtained | undefined;
  /** Held until settled. */
  #lease: Lease | undefined;
  /** Fingerprint of the request, once it is known. */
  #fingerprint: string | undefined;
  #renewal: NodeJS.Timeout | undefined;

  /** `seal` is required when answers hold personal data. */
  constructor(parts: IdempotencyParts, scope: string, context: RequestContext, seal?: AnswerSeal) {
    this.#store = parts.store;
    this.#fingerprints = parts.fingerprints;
    this.#answerMac = parts.answerMac;
    this.#seal = seal;
    this.#scope = scope;
    this.#context = context;
  }

  /** Call before the handler of a JSON write. Returns the stored answer, or undefined when the handler must run. */
  async claimFor(requestHash: string): Promise<KeptReply | undefined> {
    const fingerprints = this.#fingerprints.of(this.#scope, requestHash);
    this.#fingerprint = fingerprints[0];
    const outcome = await this.#claimKey(fingerprints);
    return outcome.kind === 'answered' ? await this.#replay(outcome.answer) : undefined;
  }

  async claim(): Promise<IdempotencyClaim> {
    const outcome = this.#outcome ?? (await this.#claimKey(undefined));
    return {
      workId: outcome.workId,
      bodyKnown: outcome.fingerprint !== undefined,
      identify: async (sha256Hex) => await this.#identify(outcome, this.#fingerprints.of(this.#scope, sha256Hex)),
    };
  }

  async #claimKey(fingerprints: Fingerprints | undefined): Promise<Obtained> {
    const outcome = await this.#store.claim(this.#scope, fingerprints);
    this.#refuseForeign(outcome);
    if (outcome.kind === 'erased') throw erased();
    if (outcome.kind !== 'claimed' && fingerprints && isOther(outcome, fingerprints)) throw keyReused();
    if (outcome.kind === 'in progress') throw inProgress();
    this.#outcome = outcome;
    if (outcome.kind === 'claimed') this.#startRenewing(outcome.lease);
    return outcome;
  }

  /** Before anything that is stored is believed, also the fingerprint: "another request" would make the caller use a new key. */
  #refuseForeign(outcome: ClaimOutcome): void {
    if (outcome.kind !== 'answered' && outcome.kind !== 'erased') return;
    const place = { scope: this.#scope, workId: outcome.workId };
    const isOwn =
      outcome.kind === 'erased'
        ? this.#answerMac.mayBeErased(place, outcome.marks.erasureMac)
        : this.#answerMac.isRight(place, outcome.fingerprint, outcome.answer, outcome.marks.mac);
    if (!isOwn) throw invalidAnswer();
  }

  async #identify(outcome: Obtained, fingerprints: Fingerprints): Promise<KeptReply | undefined> {
    if (isOther(outcome, fingerprints)) {
      await this.#release(true);
      throw keyReused();
    }
    if (outcome.kind === 'answered') return await this.#replay(outcome.answer);
    if (this.#lease && !(await this.#store.identify(this.#lease, fingerprints))) {
      this.#takeLease();
      throw inProgress();
    }
    this.#fingerprint = fingerprints[0];
    return undefined;
  }

  #startRenewing(lease: Lease): void {
    this.#lease = lease;
    this.#renewal = setInterval(() => {
      this.#store.renew(lease).then(
        (held) => held || this.#context.log.warn('another attempt took over the idempotency key of a running request'),
        (error: unknown) => this.#context.log.warn({ err: error }, 'the idempotency key could not be renewed'),
      );
    }, LEASE_MS / 3);
    this.#renewal.unref();
  }

  /** Call once with the final reply. Stores the answer or releases the key. Throws when the answer cannot be stored. */
  async settle(reply: Reply): Promise<void> {
    const [outcome, fingerprint] = [this.#outcome, this.#fingerprint];
    if (!this.#lease || !outcome) return;
    if (!mayBeStored(reply) || fingerprint === undefined) {
      // After an internal failure work may have begun, and the next try must find it again.
      const mayHaveEffect = reply.status >= 500 || reply.unstored === true;
      await this.#release(mayHaveEffect && fingerprint !== undefined);
      return;
    }
    let answer: StoredAnswer;
    try {
      answer = await this.#toStored(reply);
    } catch (error) {
      // The work is done: the next try finds it by its work id.
      await this.#release(true);
      throw error;
    }
    const marks = this.#answerMac.make({ scope: this.#scope, workId: outcome.workId }, fingerprint, answer);
    const lease = this.#takeLease();
    if (lease && !(await this.#store.finish(lease, answer, marks))) {
      this.#context.log.warn('the answer was not stored: another attempt took over the idempotency key');
    }
  }

  async #toStored(reply: Reply): Promise<StoredAnswer> {
    const { body, ...head } = flattenReply(reply);
    if (!Buffer.isBuffer(body)) throw new Error('The reply to a keyed request must not be a stream');
    const { subject } = reply;
    if (subject === undefined) return { ...head, body };
    // The subject has no key, so it was erased during the request: store nothing readable.
    const sealed = await this.#needSeal().seal(subject, this.#scope, body);
    return { ...head, body: sealed ?? new Uint8Array(), subject };
  }

  async #replay({ status, headers, body, subject }: StoredAnswer): Promise<KeptReply> {
    const bytes = subject === undefined ? body : await this.#needSeal().open(subject, this.#scope, body);
    if (bytes === undefined) throw erased();
    return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, bytes };
  }

  #needSeal(): AnswerSeal {
    if (!this.#seal) throw new Error('This server stores answers with personal data but has no answerSeal');
    return this.#seal;
  }

  async #release(hasEffect: boolean): Promise<void> {
    const lease = this.#takeLease();
    if (!lease) return;
    try {
      await this.#store.release(lease, hasEffect);
    } catch (error) {
      this.#context.log.warn({ err: error }, 'the idempotency key was not released: it is free when its lease ends');
    }
  }

  #takeLease(): Lease | undefined {
    clearInterval(this.#renewal);
    const lease = this.#lease;
    this.#lease = undefined;
    return lease;
  }
}

/** Whether the key was used for another request. False while that request is not known. */
function isOther({ fingerprint }: { readonly fingerprint?: string }, fingerprints: Fingerprints): boolean {
  return fingerprint !== undefined && !fingerprints.includes(fingerprint);
}

/** A conflict that says when to come back is over by then: the same key tries again. */
function mayBeStored({ status, headers = {}, unstored }: Reply): boolean {
  if (unstored || status >= 500 || UNSTORED_STATUSES.has(status)) return false;
  return status !== 409 || !Object.keys(headers).some((name) => name.toLowerCase() === 'retry-after');
}
