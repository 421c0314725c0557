/**
 * Workflow starts that a write has requested. The write sets `pendingStart`; the handler starts or signals the workflow
 * and clears the flag. The sweep does both for documents that a crash has left pending. Callers: the stores and sweeps
 * of areas.
 *
 * Any number of processes may sweep at once. A start must be safe to repeat.
 */
import type { mongo } from 'mongoose';
import { batchesOf } from '../batches.ts';
import type { Logger } from '../log.ts';
import type { AggregateDocument, Projection } from './aggregate-document.ts';
import { setOrUnset } from './conditional-update.ts';
import { type StartFailures, startEach } from './start-each.ts';

const LISTED_AT_ONCE = 200;

export class PendingStarts<Document extends AggregateDocument> {
  readonly #collection: mongo.Collection<Document>;
  readonly #projection: Projection<Document>;

  /** `projection`: the members that the area's start needs; the revision is always read. */
  constructor(collection: mongo.Collection<Document>, projection: Projection<Document>) {
    this.#collection = collection;
    this.#projection = projection;
  }

  /** Documents pending since before `before`, longest first. */
  async list(before: Date, limit: number): Promise<readonly Document[]> {
    return (await this.#find(before).limit(limit).toArray()) as unknown as readonly Document[];
  }

  /** All of them, in pages, where a start does not clear the flag: those that stay pending hide no other. */
  async *pages(before: Date): AsyncIterable<readonly Document[]> {
    for await (const page of batchesOf(this.#find(before), { count: LISTED_AT_ONCE })) {
      yield page as unknown as readonly Document[];
    }
  }

  #find(before: Date) {
    const pending = { pendingStart: true, pendingSince: { $lt: before } } as unknown as mongo.Filter<Document>;
    const options = { projection: { ...this.#projection, revision: 1 } };
    return this.#collection.find(pending, options).sort({ pendingSince: 1 });
  }

  /**
   * Call after the start. `revision` is that of the write whose start is done: a later write may request another start,
   * and keeps its flag.
   */
  async clear(id: string, revision: number): Promise<void> {
    await this.clearWhere({ _id: id, revision } as mongo.Filter<Document>);
  }

  /** Like `clear`, on the area's own condition instead of the revision. */
  async clearWhere(condition: mongo.Filter<Document>): Promise<void> {
    const update = setOrUnset({ pendingStart: undefined, pendingSince: undefined });
    await this.#collection.updateOne(condition, update as unknown as mongo.UpdateFilter<Document>);
  }
}

export interface PendingStart<Pending> extends StartFailures<Pending> {
  readonly start: (pending: Pending) => Promise<void>;
  readonly clear: (pending: Pending) => Promise<void>;
  readonly log: Logger;
}

/** For handlers, after the write. Never throws: the sweep does within seconds what failed here. */
export async function startPending<Pending>(
  pending: Pending,
  { start, clear, describe, log }: PendingStart<Pending>,
): Promise<void> {
  try {
    await start(pending);
    await clear(pending);
  } catch (error) {
    log.warn({ ...describe(pending), err: error }, 'a workflow could not be started; the sweep tries again');
  }
}

export interface PendingStartSweep<Pending> extends PendingStart<Pending> {
  readonly list: (before: Date, limit: number) => Promise<readonly Pending[]>;
  readonly now?: () => Date;
}

/** Within this time of its write, a handler starts the workflow itself. */
const HANDLER_TIME_MS = 2_000;

/** Starts all that is pending. Throws when so many starts fail that they must have one cause, such as Temporal being away. */
export async function sweepPendingStarts<Pending>(sweep: PendingStartSweep<Pending>): Promise<void> {
  const { list, start, clear, log, describe, now = () => new Date() } = sweep;
  const before = new Date(now().getTime() - HANDLER_TIME_MS);
  for (;;) {
    const pending = await list(before, LISTED_AT_ONCE);
    await startEach(pending, sweep, async (each) => {
      await start(each);
      await clear(each);
      log.info(describe(each), 'started the workflow of a document that was pending');
    });
    if (pending.length < LISTED_AT_ONCE) return;
  }
}
