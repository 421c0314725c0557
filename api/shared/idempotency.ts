/**
 * `Idempotency-Key` of one request: claims it, replays the stored answer, refuses another request under the same key, renews the
 * lease while the handler works, and stores the answer or releases the key. Made by the endpoint for each write.
 */
import { createHmac, randomUUID } from 'node:crypto';
import {
  type ClaimOutcome,
  type IdempotencyStore,
  LEASE_MS,
  type Lease,
  type StoredAnswer,
} from '../../platform/idempotency/idempotency-store.ts';
import type { SubjectId } from '../../platform/personal/subject-id.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Idempotency, IdempotencyClaim, KeptReply, Reply } from './operation.ts';
import type { RequestContext } from './request-context.ts';
import { flattenReply } from './send.ts';

/** Not stored: a corrected or later try under the same key must work. */
const UNSTORED_STATUSES = new Set([400, 401, 403, 406, 408, 413, 415, 429]);

/**
 * Seals answers about a subject with that subject's key, so destroying the key destroys them. Both methods return undefined
 * when the subject has no key (any more).
 */
export interface AnswerSeal {
  seal(subject: SubjectId, body: Uint8Array): Promise<Uint8Array | undefined>;
  open(subject: SubjectId, sealed: Uint8Array): Promise<Uint8Array | undefined>;
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
  readonly #key: string;
  readonly #scope: string;
  readonly #context: RequestContext;
  #outcome: Obtained | undefined;
  /** Held until settled. */
  #lease: Lease | undefined;
  #fingerprint: string | undefined;
  #renewal: NodeJS.Timeout | undefined;

  /** `seal` is required when answers hold personal data. */
  constructor(store: IdempotencyStore, key: string, scope: string, context: RequestContext, seal?: AnswerSeal) {
    this.#store = store;
    this.#key = key;
    this.#seal = seal;
    this.#scope = scope;
    this.#context = context;
  }

  /** Call before the handler of a JSON write. Returns the stored answer, or undefined when the handler must run. */
  async claimFor(requestHash: string): Promise<KeptReply | undefined> {
    // A plain hash would let a reader of the database guess passwords. The key itself is not stored.
    const fingerprint = createHmac('sha256', this.#key).update(requestHash).digest('hex');
    this.#fingerprint = fingerprint;
    const outcome = await this.#claimKey(fingerprint);
    return outcome.kind === 'answered' ? await this.#replay(outcome.answer) : undefined;
  }

  async claim(): Promise<IdempotencyClaim> {
    const outcome = this.#outcome ?? (await this.#claimKey(undefined));
    return {
      workId: outcome.workId,
      bodyKnown: outcome.fingerprint !== undefined,
      identify: async (sha256Hex) => await this.#identify(outcome, sha256Hex),
    };
  }

  async #claimKey(fingerprint: string | undefined): Promise<Obtained> {
    const outcome = await this.#store.claim(this.#scope, fingerprint);
    if (outcome.kind === 'erased') throw erased();
    const other = fingerprint !== undefined && outcome.fingerprint !== undefined && outcome.fingerprint !== fingerprint;
    if (outcome.kind !== 'claimed' && other) throw keyReused();
    if (outcome.kind === 'in progress') throw inProgress();
    this.#outcome = outcome;
    if (outcome.kind === 'claimed') this.#startRenewing(outcome.lease);
    return outcome;
  }

  async #identify(outcome: Obtained, fingerprint: string): Promise<KeptReply | undefined> {
    if (outcome.fingerprint !== undefined && outcome.fingerprint !== fingerprint) {
      await this.#release(true);
      throw keyReused();
    }
    if (outcome.kind === 'answered') return await this.#replay(outcome.answer);
    if (this.#lease && !(await this.#store.identify(this.#lease, fingerprint))) {
      this.#takeLease();
      throw inProgress();
    }
    this.#fingerprint = fingerprint;
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
    if (!this.#lease) return;
    if (!mayBeStored(reply) || this.#fingerprint === undefined) {
      // After an internal failure work may have begun, and the next try must find it again.
      await this.#release(reply.status >= 500 && this.#fingerprint !== undefined);
      return;
    }
    const answer = await this.#toStored(reply);
    const lease = this.#takeLease();
    if (lease && !(await this.#store.finish(lease, answer))) {
      this.#context.log.warn('the answer was not stored: another attempt took over the idempotency key');
    }
  }

  async #toStored(reply: Reply): Promise<StoredAnswer> {
    const { body, ...head } = flattenReply(reply);
    if (!Buffer.isBuffer(body)) throw new Error('The reply to a keyed request must not be a stream');
    const { subject } = reply;
    if (subject === undefined) return { ...head, body };
    // The subject has no key, so it was erased during the request: store nothing readable.
    return { ...head, body: (await this.#needSeal().seal(subject, body)) ?? new Uint8Array(), subject };
  }

  async #replay({ status, headers, body, subject }: StoredAnswer): Promise<KeptReply> {
    const bytes = subject === undefined ? body : await this.#needSeal().open(subject, body);
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

/** A conflict that says when to come back is over by then: the same key tries again. */
function mayBeStored({ status, headers = {} }: Reply): boolean {
  if (status >= 500 || UNSTORED_STATUSES.has(status)) return false;
  return status !== 409 || !Object.keys(headers).some((name) => name.toLowerCase() === 'retry-after');
}

/** The same answer as for any other resource of an erased person. */
function erased(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such resource.');
}

function keyReused(): ServiceError {
  return new ServiceError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new key.',
  );
}

function inProgress(): ServiceError {
  return new ServiceError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running. Try again shortly.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}
