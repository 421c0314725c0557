/**
 * Refunds: created, read and changed. The rules of workflows/refunds decide; each change is one conditional write with its events.
 * Missing and foreign refunds are indistinguishable. Callers: the operations of the API, the activities and sweeps of this folder.
 */
import type { Connection, mongo } from 'mongoose';
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { batchesOf } from '../../platform/batches.ts';
import type { EventEnvironment } from '../../platform/events/outbox.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import { ENDED_STATUSES, isEnded, type Refund } from '../../workflows/refunds/rules/refund.ts';
import type { RefundEvent } from '../../workflows/refunds/rules/refund-events.ts';
import { type NewRefund, type RefundChange, requestRefund } from '../../workflows/refunds/rules/refund-life.ts';
import type { OrderId, OrganisationId, RefundId } from '../../workflows/shared/ids.ts';
import { sumOf } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import {
  COMPENSATING_INDEX,
  ORDER_INDEX,
  REFUNDS_COLLECTION,
  type RefundCollection,
  type RefundDocument,
  RUNNING_INDEX,
  STATUS_INDEX,
} from './refund-document.ts';
import { REFUND_EVENTS } from './refund-family.ts';

/** `ANY`: refunds of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

export interface RefundWork {
  readonly workId: string;
  readonly correlationId: string;
  readonly clientId: string;
}

export interface StoredRefund {
  readonly refund: Refund;
  readonly correlationId: string;
  readonly revision: number;
}

export interface RefundStoreOptions {
  readonly connection: Connection;
  readonly environment: EventEnvironment;
  readonly now?: () => Date;
}

const START_MEMBERS = { organisationId: 1, orderId: 1, correlationId: 1, createdAt: 1 } as const;
/** A compensation runs beside a refund that was asked for. */
const COMPENSATING = {
  ...{ mark: 'isCompensating', hint: COMPENSATING_INDEX, indexed: { orderId: { $exists: true } } },
} as const;
const RUNNING = [
  { mark: 'isRunning', hint: STATUS_INDEX, indexed: { status: { $exists: true } } },
  COMPENSATING,
] as const;
const PAGE = 200;
/** Most have ended by then. A start joins a workflow in progress. */
const LATE_AFTER_MS = 2 * 60_000;

export class RefundStore {
  readonly now: () => Date;
  /** Of workflows that a write has asked for. */
  readonly pending: PendingStarts<RefundDocument>;
  readonly #collection: RefundCollection;
  readonly #refunds: Aggregates<RefundDocument, RefundEvent>;

  constructor({ connection, environment, now = () => new Date() }: RefundStoreOptions) {
    this.now = now;
    this.#collection = REFUNDS_COLLECTION.open(connection);
    this.#refunds = new Aggregates({ collection: this.#collection, family: REFUND_EVENTS, environment, busy, now });
    this.pending = new PendingStarts(this.#collection, START_MEMBERS);
  }

  /**
   * Its workflow is pending then. Repeated with the same work id it answers the refund of the first attempt, as it is now. Throws
   * REFUND_IN_PROGRESS while another refund of the order is running; of a compensation, while another compensation is.
   */
  async create(content: NewRefund, work: RefundWork): Promise<StoredRefund> {
    const { refund, events } = requestRefund(content, this.now());
    const { id: _id, ...members } = refund;
    const running = refund.compensation ? { isCompensating: true } : { isRunning: true };
    const document = { _id, ...members, correlationId: work.correlationId, ...running };
    try {
      const created = await this.#refunds.create(document as never, work, { events, pendingStart: true });
      if (created.document.organisationId !== content.organisationId) throw notFound();
      return toStored(created.document);
    } catch (error) {
      if (isDuplicateKey(error, RUNNING_INDEX)) throw inProgress();
      if (!isDuplicateKey(error, COMPENSATING_INDEX)) throw error;
      if ((await this.dropStaleMarks(content.orderId)) === 0) throw inProgress();
      return await this.create(content, work);
    }
  }

  /** A worker of an older build has ended these compensations, and left their mark. Answers how many. Repeatable. */
  async dropStaleMarks(orderId?: OrderId): Promise<number> {
    const place = orderId === undefined ? COMPENSATING.indexed : { orderId };
    const ended = { isCompensating: true, ...place, status: { $in: [...ENDED_STATUSES] } };
    const dropped = await this.#collection.updateMany(
      ended as mongo.Filter<RefundDocument>,
      { $unset: { isCompensating: '' } },
      { hint: COMPENSATING_INDEX },
    );
    return dropped.modifiedCount;
  }

  /** The refund that this work has created. */
  async findCreated(
    organisationId: OrganisationId,
    { workId }: Pick<RefundWork, 'workId'>,
  ): Promise<StoredRefund | undefined> {
    const filter = () => ({ creationId: workId, organisationId });
    const found = await this.#refunds.find({ filter, hint: 'creations' });
    return found && toStored(found.document);
  }

  /** Throws NOT_FOUND, and what `decide` throws. The change removes its own condition. */
  async change(
    tenancy: Tenancy,
    refundId: RefundId,
    work: { readonly correlationId: string; readonly clientId: string },
    decide: (refund: Refund, now: Date) => RefundChange,
  ): Promise<StoredRefund> {
    const changed = await this.#refunds.change(placeOf(tenancy, refundId), work, ({ document }) => {
      const before = toRefund(document);
      const { refund: after, events } = decide(before, this.now());
      if (after === before && events.length === 0) return undefined;
      const { id: _id, ...members } = after;
      const removed = Object.keys(before).flatMap((member) => (member in after ? [] : [[member, undefined] as const]));
      const ended = isEnded(after) ? { isRunning: undefined, isCompensating: undefined } : {};
      return { set: { ...members, ...Object.fromEntries(removed), ...ended }, events };
    });
    if (!changed) throw notFound();
    return toStored(changed.document);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, refundId: RefundId): Promise<StoredRefund> {
    const found = await this.#refunds.find(placeOf(tenancy, refundId));
    if (!found) throw notFound();
    return toStored(found.document);
  }

  /** Of an order that the caller may see, the newest first. */
  async listOfOrder(
    organisationId: OrganisationId,
    orderId: OrderId,
    { page, perPage }: { readonly page: number; readonly perPage: number },
  ): Promise<{ readonly items: readonly Refund[]; readonly totalItems: number }> {
    const filter = { organisationId, orderId } as mongo.Filter<RefundDocument>;
    const found = this.#collection
      .find(filter, { promoteBuffers: true, hint: ORDER_INDEX })
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * perPage)
      .limit(perPage);
    const totalItems = await this.#collection.countDocuments(filter, { hint: ORDER_INDEX });
    return { items: (await found.toArray()).map((each) => toRefund(each as unknown as RefundDocument)), totalItems };
  }

  /** The compensation of the order that runs. */
  async findCompensating(organisationId: OrganisationId, orderId: OrderId): Promise<Refund | undefined> {
    const running = { organisationId, orderId, isCompensating: true, status: { $nin: [...ENDED_STATUSES] } };
    const found = await this.#collection.findOne(running as mongo.Filter<RefundDocument>, {
      promoteBuffers: true,
      hint: COMPENSATING_INDEX,
    });
    return found ? toRefund(found as unknown as RefundDocument) : undefined;
  }

  /** Compensations of the order that have ended. */
  async countCompensated(organisationId: OrganisationId, orderId: OrderId): Promise<number> {
    const ended = { organisationId, orderId, compensation: { $exists: true }, status: { $in: [...ENDED_STATUSES] } };
    return await this.#collection.countDocuments(ended as mongo.Filter<RefundDocument>, { hint: ORDER_INDEX });
  }

  /** Refunds that run longer than most, in pages: their workflow may be lost. Those that wait for an operator hide no other. */
  async *pagesOfLate(): AsyncIterable<readonly StoredRefund[]> {
    for (const running of RUNNING) yield* this.#pagesOfLate(running);
  }

  async *#pagesOfLate({ mark, hint, indexed }: (typeof RUNNING)[number]): AsyncIterable<readonly StoredRefund[]> {
    const createdAt = { $lt: new Date(this.now().getTime() - LATE_AFTER_MS) };
    const late = { [mark]: true, ...indexed, createdAt } as mongo.Filter<RefundDocument>;
    const found = this.#collection.find(late, { promoteBuffers: true, hint });
    for await (const page of batchesOf(found, { count: PAGE })) {
      yield page.map((each) => toStored(each as unknown as RefundDocument));
    }
  }

  /** Those of them that hold no lock any more: refunds that have failed, and compensations that have ended. */
  async listReleased(refundIds: readonly RefundId[]): Promise<readonly StoredRefund[]> {
    const released = [{ status: 'FAILED' }, { status: 'COMPLETED', compensation: { $exists: true } }];
    const filter = { _id: { $in: [...refundIds] }, $or: released } as mongo.Filter<RefundDocument>;
    const found = await this.#collection.find(filter, { promoteBuffers: true, hint: '_id_' }).toArray();
    return found.map((each) => toStored(each as unknown as RefundDocument));
  }

  /** Those that are unknown, or of others, are left out. */
  async statusesOf(tenancy: Tenancy, refundIds: readonly RefundId[]): Promise<ReadonlyMap<RefundId, Refund['status']>> {
    if (refundIds.length === 0) return new Map();
    const own = tenancy === 'ANY' ? {} : { organisationId: tenancy };
    const filter = { _id: { $in: refundIds }, ...own } as mongo.Filter<RefundDocument>;
    const found = this.#collection.find(filter, { projection: { status: 1 }, hint: '_id_' });
    return new Map((await found.toArray()).map(({ _id, status }) => [_id, status]));
  }

  /** Running refunds by status: how many, and when the oldest was asked for. */
  async countRunning(): Promise<
    readonly { readonly status: Refund['status']; readonly count: number; readonly oldest: Date }[]
  > {
    const counted = RUNNING.map(async ({ mark, hint, indexed }) => {
      const groups = this.#collection.aggregate<{ _id: Refund['status']; count: number; oldest: Date }>(
        [
          { $match: { [mark]: true, ...indexed } },
          { $group: { _id: '$status', count: { $sum: 1 }, oldest: { $min: '$createdAt' } } },
        ],
        { hint },
      );
      return await groups.toArray();
    });
    const byStatus = Map.groupBy((await Promise.all(counted)).flat(), ({ _id }) => _id);
    return [...byStatus].map(([status, groups]) => ({
      status,
      count: sumOf(groups.map(({ count }) => count)),
      oldest: new Date(Math.min(...groups.map(({ oldest }) => oldest.getTime()))),
    }));
  }
}

export function toRefund(document: RefundDocument): Refund {
  const { _id, revision, sequence, outbox, creationId, workIds, pendingStart, pendingSince, ...rest } = document;
  const { correlationId, isRunning, isCompensating, ...content } = rest;
  return { id: _id, ...content };
}

function toStored(document: RefundDocument): StoredRefund {
  return { refund: toRefund(document), correlationId: document.correlationId, revision: document.revision };
}

/** Refunds have random ids, so an index on the organisation would find a foreign one no sooner. */
function placeOf(tenancy: Tenancy, _id: RefundId): Place<RefundDocument> {
  return { filter: () => (tenancy === 'ANY' ? { _id } : { _id, organisationId: tenancy }), hint: '_id_' };
}

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such refund.');
}

export function inProgress(): ServiceError {
  return new ServiceError(
    'REFUND_IN_PROGRESS',
    'Another refund of the order is running. Try again when it has ended.',
    {
      headers: { 'Retry-After': '2' },
    },
  );
}

function busy({ retryAfterSeconds }: AggregateBusy): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many requests are changing the refund at once; try again.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
