/**
 * Confirmed versions that later ones have replaced: kept for ever. A version is inserted before the write that drops it
 * from the order's document, on condition that the version is still as it was inserted. Until then the document may mark
 * its lines, so that an attempt that dies may leave a version as it was before the mark. Caller: the store.
 */
import type { Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { ConfirmedVersion, Order } from '../../workflows/orders/rules/order.ts';
import { ORDER_VERSIONS, VERSIONS_INDEX, type VersionDocument } from './order-document.ts';

/** Versions of an older build have no revision, and come last. */
export const NEWEST = { version: -1, revision: -1 } as const;

export class OrderVersions {
  readonly #collection: mongo.Collection<VersionDocument>;

  constructor(connection: Connection) {
    this.#collection = ORDER_VERSIONS.open(connection);
  }

  /** As the order of this revision holds it. Safe to repeat. */
  async keep({ id, organisationId, confirmed }: Order, revision: number): Promise<void> {
    if (!confirmed) return;
    const _id = `${id}/${confirmed.version}/${revision}`;
    const document = { _id, orderId: id, organisationId, revision, ...confirmed };
    try {
      await this.#collection.insertOne(document);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async find({ id }: Pick<Order, 'id'>, version: number): Promise<ConfirmedVersion | undefined> {
    const found = await this.#collection.findOne(
      { orderId: id, version },
      { sort: NEWEST, hint: VERSIONS_INDEX, promoteBuffers: true },
    );
    if (!found) return undefined;
    const { _id, orderId, organisationId, revision, ...confirmed } = found;
    return confirmed as ConfirmedVersion;
  }
}

/** The version that this change drops, if it drops one. */
export function droppedVersion(before: Order, after: Order): number | undefined {
  const { confirmed } = before;
  return confirmed && confirmed.version !== after.confirmed?.version ? confirmed.version : undefined;
}

/** The order as this version of it was confirmed: nothing was owed. What belongs to no version is as it is now. */
export function orderAt(order: Order, { version, confirmedAt, ...content }: ConfirmedVersion, total: number): Order {
  const { expireAt, expireAtSet, lock, creditBalance, pendingSeats, confirmed, ...facts } = order;
  const money = { capturedMinor: total, creditedMinor: 0 };
  return { ...facts, ...content, version, status: 'CONFIRMED', lastConfirmedAt: confirmedAt, money };
}
