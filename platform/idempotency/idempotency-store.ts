/**
 * Keys of idempotent requests: the attempt that works on one, and the stored answer. Only the HTTP base calls it. Of
 * HTTP it knows only that an answer has a status, headers and bytes.
 *
 * The claim is an insert under a unique id, so of many requests with one key exactly one works. A claim is a lease,
 * which the process renews. After a crash the next attempt takes it over with the same `workId`, so that ids derived
 * from it join the work already done. When an attempt crashed before its request was known, it had no effect, and the
 * next one gets a new `workId`.
 */
import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../mongo/collection.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';
import type { SubjectId } from '../personal/subject-id.ts';
import { REPEATS_RECOGNISED_MS } from './lifetime.ts';
import type { Fingerprints } from './request-fingerprints.ts';
import type { AnswerMarks, StoredAnswer } from './stored-answer.ts';

export const LEASE_MS = 15_000;

/** The proof that a holder of a claim needs to renew, finish or release it. */
export interface Lease {
  readonly scope: string;
  readonly token: string;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly lease: Lease; readonly workId: string; readonly fingerprint?: string }
  /** As stored: `marks` prove that the service wrote it, or not (answer-mac.ts). */
  | {
      readonly kind: 'answered';
      readonly answer: StoredAnswer;
      readonly workId: string;
      readonly fingerprint: string;
      readonly marks: Partial<AnswerMarks>;
    }
  /** There was an answer. Its subject was erased, and with it the record of the request. */
  | { readonly kind: 'erased'; readonly workId: string; readonly marks: Partial<AnswerMarks> }
  | { readonly kind: 'in progress'; readonly fingerprint?: string };

interface KeyDocument extends Partial<AnswerMarks> {
  /** Hash of organisation, client, method, path and key. */
  _id: string;
  workId: string;
  fingerprint?: string;
  leaseToken: string;
  leaseUntil: Date;
  /** How often the key was claimed; the key may be deleted only if it was claimed once. */
  attempts: number;
  answer?: { status: number; headers: Record<string, string>; body: Buffer | mongo.Binary };
  /** The subject of the answer. */
  subject?: SubjectId;
  expiresAt: Date;
}

export const IDEMPOTENCY_KEYS = new CollectionDefinition<KeyDocument>('idempotency_keys', [
  // The database removes expired keys.
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  { name: 'subject', key: { subject: 1 }, sparse: true },
]);

const CLAIM_TRIES = 5;

export class IdempotencyStore {
  readonly #connection: Connection;
  readonly #collection: mongo.Collection<KeyDocument>;
  readonly #now: () => number;

  constructor(connection: Connection, now: () => number = Date.now) {
    this.#connection = connection;
    this.#collection = IDEMPOTENCY_KEYS.open(connection);
    this.#now = now;
  }

  /** Called once at start. */
  async ensureIndexes(): Promise<void> {
    await IDEMPOTENCY_KEYS.ensureIndexes(this.#connection);
  }

  /** `fingerprints` are absent when they depend on the body, which is not read yet. */
  async claim(scope: string, fingerprints?: Fingerprints): Promise<ClaimOutcome> {
    for (let tries = 0; tries < CLAIM_TRIES; tries += 1) {
      const outcome =
        (await this.#insert(scope, fingerprints?.[0])) ??
        (await this.#takeOver(scope, fingerprints)) ??
        (await this.#readHolder(scope));
      if (outcome) return outcome;
      // The holder released it, or it expired, between the steps: try again.
    }
    return { kind: 'in progress' };
  }

  async #insert(scope: string, fingerprint: string | undefined): Promise<ClaimOutcome | undefined> {
    const now = this.#now();
    const workId = randomUUID();
    const token = randomUUID();
    try {
      await this.#collection.insertOne({
        _id: scope,
        workId,
        ...(fingerprint === undefined ? {} : { fingerprint }),
        leaseToken: token,
        leaseUntil: new Date(now + LEASE_MS),
        attempts: 1,
        expiresAt: new Date(now + REPEATS_RECOGNISED_MS),
      });
      return { kind: 'claimed', lease: { scope, token }, workId };
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /**
   * Only for the same request, or while the request is not known yet; a different request must not continue this work. While it
   * is not known the work gets a new id: the former holder may still be alive and storing its body.
   */
  async #takeOver(scope: string, fingerprints: Fingerprints | undefined): Promise<ClaimOutcome | undefined> {
    const now = this.#now();
    const token = randomUUID();
    const same = fingerprints === undefined ? {} : sameRequest(fingerprints);
    const taken = await this.#collection.findOneAndUpdate(
      {
        _id: scope,
        answer: { $exists: false },
        leaseUntil: { $lte: new Date(now) },
        expiresAt: { $gt: new Date(now) },
        ...same,
      },
      [
        {
          $set: {
            workId: { $cond: [{ $ifNull: ['$fingerprint', false] }, '$workId', randomUUID()] },
            leaseToken: token,
            leaseUntil: new Date(now + LEASE_MS),
            // A known request keeps its expiry: documents count its 72 hours from the first attempt.
            expiresAt: {
              $cond: [{ $ifNull: ['$fingerprint', false] }, '$expiresAt', new Date(now + REPEATS_RECOGNISED_MS)],
            },
            ...(fingerprints === undefined ? {} : { fingerprint: { $literal: fingerprints[0] } }),
            attempts: { $add: ['$attempts', 1] },
          },
        },
      ],
      { returnDocument: 'after', includeResultMetadata: false },
    );
    if (!taken) return undefined;
    return { kind: 'claimed', lease: { scope, token }, workId: taken.workId, ...known(taken.fingerprint) };
  }

  async #readHolder(scope: string): Promise<ClaimOutcome | undefined> {
    const found = await this.#collection.findOne({ _id: scope });
    if (!found) return undefined;
    if (found.expiresAt.getTime() <= this.#now()) {
      await this.#collection.deleteOne({ _id: scope, expiresAt: found.expiresAt });
      return undefined;
    }
    const { answer, fingerprint, subject, workId, mac, erasureMac } = found;
    const marks = { ...(mac !== undefined && { mac }), ...(erasureMac !== undefined && { erasureMac }) };
    if (!('answer' in found)) return { kind: 'in progress', ...known(fingerprint) };
    if (fingerprint === undefined) return { kind: 'erased', workId, marks };
    const body = bytesOf(answer?.body);
    // Without a MAC no answer is believed.
    if (!answer || !body) return { kind: 'answered', answer: NO_ANSWER, workId, fingerprint, marks: {} };
    const whole = { ...answer, body, ...(subject === undefined ? {} : { subject }) };
    return { kind: 'answered', answer: whole, workId, fingerprint, marks };
  }

  /** Records the fingerprint of the request. False when it differs from the recorded one, or the lease is lost. */
  async identify(lease: Lease, fingerprints: Fingerprints): Promise<boolean> {
    const result = await this.#collection.updateOne(
      { _id: lease.scope, leaseToken: lease.token, ...sameRequest(fingerprints) },
      { $set: { fingerprint: fingerprints[0] } },
    );
    return result.matchedCount === 1;
  }

  /** False when the lease was lost to another attempt. */
  async renew(lease: Lease): Promise<boolean> {
    const result = await this.#collection.updateOne(
      { _id: lease.scope, leaseToken: lease.token, answer: { $exists: false } },
      { $set: { leaseUntil: new Date(this.#now() + LEASE_MS) } },
    );
    return result.matchedCount === 1;
  }

  /** Keeps the answer for 72 hours. False when another attempt has taken over. */
  async finish(lease: Lease, answer: StoredAnswer, marks: AnswerMarks): Promise<boolean> {
    const { status, headers, body, subject } = answer;
    const stored = { status, headers: { ...headers }, body: Buffer.from(body) };
    const result = await this.#collection.updateOne(
      { _id: lease.scope, leaseToken: lease.token },
      {
        $set: {
          answer: stored,
          ...marks,
          expiresAt: new Date(this.#now() + REPEATS_RECOGNISED_MS),
          ...(subject === undefined ? {} : { subject }),
        },
      },
    );
    return result.matchedCount === 1;
  }

  /**
   * Deletes the stored answers about this subject and the fingerprints of their requests; keeps that there was an
   * answer. Safe to repeat.
   */
  async eraseAnswersOf(subject: SubjectId): Promise<void> {
    await this.#collection.updateMany(
      { subject },
      {
        $set: { answer: { status: 404, headers: {}, body: Buffer.alloc(0) } },
        $unset: { subject: 1, fingerprint: 1, mac: 1 },
      },
    );
  }

  async hasAnswersOf(subject: SubjectId): Promise<boolean> {
    return (await this.#collection.findOne({ subject }, { projection: { _id: 1 } })) !== null;
  }

  /**
   * Frees the key without an answer. `hasEffect` says whether work may have begun: then the key keeps its request and
   * `workId`, and only the lease ends. A key that was taken over is never forgotten, since an earlier attempt may have
   * left work behind.
   */
  async release(lease: Lease, hasEffect: boolean): Promise<void> {
    const held = { _id: lease.scope, leaseToken: lease.token, answer: { $exists: false } };
    if (!hasEffect) {
      const { deletedCount } = await this.#collection.deleteOne({ ...held, attempts: 1 });
      if (deletedCount === 1) return;
    }
    await this.#collection.updateOne(held, { $set: { leaseUntil: new Date(0) } });
  }
}

function sameRequest(fingerprints: Fingerprints) {
  return { $or: [{ fingerprint: { $exists: false } }, { fingerprint: { $in: [...fingerprints] } }] };
}

/** Replaces an answer that another writer has stored in another form. */
const NO_ANSWER: StoredAnswer = { status: 500, headers: {}, body: new Uint8Array() };

/** Undefined for what is no bytes: anything may stand in the database. */
function bytesOf(stored: unknown): Uint8Array | undefined {
  if (Buffer.isBuffer(stored)) return stored;
  const { buffer } = Object(stored) as { readonly buffer?: unknown };
  return buffer instanceof Uint8Array ? buffer : undefined;
}

function known(fingerprint: string | undefined): { fingerprint?: string } {
  return fingerprint === undefined ? {} : { fingerprint };
}
