/**
 * The audit log in the database. It is appended to, and read; nothing in it is changed or removed. Callers: every
 * process that does what must be recorded, the operation that reads the log, `npm run audit`.
 *
 * One chain for all processes. A writer reads the newest entry that a process wrote, and inserts the next at the first
 * free number. The sequence is the unique `_id`, so one writer succeeds and the others read again. Reads and writes are
 * those of the majority, so the entry that a hash covers is never rolled back. Calls in one process wait for each
 * other, so only processes compete.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, mongo } from 'mongoose';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { Logger } from '../../platform/log.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { Mutex } from '../../workflows/shared/mutex.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { AuditedAction, AuditTrail } from '../shared/audit.ts';
import {
  type AuditContent,
  type AuditEntry,
  type AuditHead,
  type AuditOutcome,
  EMPTY_LOG,
  headOf,
  isWellFormed,
  sealEntry,
} from './audit-entry.ts';
import { AUDIT_ENTRIES, type AuditFilter, toMongo } from './audit-query.ts';
import { findNextPlace } from './next-place.ts';

export interface AuditLogOptions {
  readonly connection: Connection;
  readonly keys: KeyRing;
  readonly log: Logger;
  readonly now?: () => Date;
  /** Called when an act goes on whose attempt could not be written. */
  readonly onUnrecorded?: () => void;
}

/** Enough for some hundred processes that write at once. */
const APPEND_TRIES = 200;
const MAX_PAUSE_MS = 30;
/** An act that stops harm waits for it when the log cannot be written. */
const LONGEST_APPEND_MS = 10_000;
/** A filter may match little, and a writer to the database may have added much that is left out. */
const LONGEST_LIST_MS = 5_000;
const FIRST = 1;
const MAJORITY = { writeConcern: { w: 'majority' } } as const;

export class AuditLog implements AuditTrail {
  readonly #options: AuditLogOptions;
  readonly #entries: mongo.Collection<AuditEntry>;
  /** The newest entry that this process has seen: a log that ends before it was cut. */
  #seen = EMPTY_LOG;
  readonly #turns = new Mutex();

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#entries = AUDIT_ENTRIES.open(options.connection);
  }

  async record<Result>(
    { evenUnrecorded = false, ...action }: AuditedAction,
    act: () => Promise<Result>,
    idOf?: (result: Result) => string | undefined,
  ): Promise<Result> {
    const first = await this.#noteAttempt(action, evenUnrecorded);
    const attempt = first && { attempt: first._id };
    try {
      const result = await act();
      const id = action.resource.id ?? idOf?.(result);
      const resource = { type: action.resource.type, ...(id !== undefined && { id }) };
      await this.#noteOutcome({ ...action, resource, at: this.#now(), outcome: 'DONE', ...attempt });
      return result;
    } catch (error) {
      await this.#noteOutcome({ ...action, at: this.#now(), ...outcomeOf(error), ...attempt });
      throw error;
    }
  }

  /** Undefined where the act goes on without its entry. */
  async #noteAttempt(action: AuditedAction, evenUnrecorded: boolean): Promise<AuditEntry | undefined> {
    try {
      return await this.append({ ...action, at: this.#now(), outcome: 'ATTEMPTED' });
    } catch (error) {
      if (!evenUnrecorded) throw error;
      const { log, onUnrecorded } = this.#options;
      log.error({ err: error, audit: action }, 'an act that stops harm goes on, and is not recorded');
      onUnrecorded?.();
      return undefined;
    }
  }

  /**
   * Throws UNAVAILABLE when other writers came first in every try, and the driver's error when the database is away.
   */
  async append(content: AuditContent): Promise<AuditEntry> {
    return await this.#turns.run(() => this.#append(content));
  }

  /** In the order of the sequence, without what cannot be an entry. */
  async list(filter: AuditFilter, after: number, limit: number): Promise<readonly AuditEntry[]> {
    const listed: AuditEntry[] = [];
    const options = { batchSize: limit + 1, maxTimeMS: LONGEST_LIST_MS };
    const found = this.#entries.find({ ...toMongo(filter), _id: { $gt: after } }, options);
    for await (const entry of found.sort({ _id: 1 })) {
      if (isWellFormed(entry)) listed.push(entry);
      if (listed.length === limit) break;
    }
    return listed;
  }

  /** All entries after `after`, in the order of the sequence, and every entry whose id is not the number of one. */
  async *read(after = 0): AsyncGenerator<AuditEntry> {
    // Two ranges of the index; a negated range would read all of it.
    const wanted = { $or: [{ _id: { $gt: after } }, { _id: { $not: { $gte: FIRST } } }] };
    for await (const entry of this.#entries.find(wanted).sort({ _id: 1 })) yield entry;
  }

  /** Answers `to - after` for a whole log: there is one entry for each number after `after`, up to `to`. */
  async count(after: number, to: number): Promise<number> {
    // Also counts ids between two numbers, which no entry has.
    return await this.#entries.countDocuments({ _id: { $gt: after, $lte: to, $gte: FIRST } });
  }

  async #append(content: AuditContent): Promise<AuditEntry> {
    const { keys, log } = this.#options;
    const until = performance.now() + LONGEST_APPEND_MS;
    for (let lost = 0; lost < APPEND_TRIES && performance.now() < until; lost += 1) {
      const { head, sequence: next, foreign } = await findNextPlace(this.#entries, keys);
      this.#noteCut(head);
      if (foreign > 0) log.error({ audit: { head, foreign } }, 'entries that no process wrote follow the audit log');
      const entry = sealEntry(content, head, keys, next);
      try {
        await this.#entries.insertOne(entry, MAJORITY);
        this.#seen = headOf(entry);
        const { _id: sequence, hash, action, outcome } = entry;
        // The log output is an anchor: an attacker who cuts the end of the chain would have to cut it there too.
        log.info({ audit: { sequence, hash, action, outcome } }, 'audit entry');
        return entry;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await delay(Math.random() * Math.min(2 ** lost, MAX_PAUSE_MS));
    }
    throw new ServiceError('UNAVAILABLE', 'The audit log is busy; try again', { headers: { 'retry-after': '1' } });
  }

  #noteCut(head: AuditHead): void {
    if (head.sequence >= this.#seen.sequence) return;
    this.#options.log.error({ audit: { seen: this.#seen, found: head } }, 'the audit log ends before an entry of it');
  }

  /** The action has happened: a missing outcome must not undo what the caller was promised. */
  async #noteOutcome(content: AuditContent): Promise<void> {
    try {
      await this.append(content);
    } catch (error) {
      const { action, outcome, attempt } = content;
      this.#options.log.error({ err: error, audit: { action, outcome, attempt } }, 'an outcome was not recorded');
    }
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

function outcomeOf(error: unknown): { readonly outcome: AuditOutcome; readonly errorCode?: string } {
  if (!(error instanceof ServiceError)) return { outcome: 'FAILED' };
  return { outcome: error.status < 500 ? 'REFUSED' : 'FAILED', errorCode: error.code };
}
