/**
 * Creates orders under ids that derive from the request. The unique creation id decides between attempts of one request,
 * and the order's own id between two requests. Caller: the store.
 */
import { CREATIONS_INDEX } from '../../platform/aggregate/aggregate-document.ts';
import { batchesOf } from '../../platform/batches.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { postedEvents } from '../../workflows/orders/rules/postings.ts';
import type { OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import { duplicateTransaction } from '../../workflows/shared/import-keys.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderWork } from '../shared/orders.ts';
import type { OrderDocument } from './order-document.ts';
import { type OrderDocuments, sealerOf } from './order-documents.ts';
import { orderIdOf } from './order-id.ts';
import { IMPORTS_INDEX, PENALTIES_INDEX, PENALTY_DRAFTS } from './order-indexes.ts';
import { newMembers } from './order-members.ts';
import { notFound } from './order-refusals.ts';
import { openToSeal } from './order-texts.ts';
import type { ChangeOptions, Decided, SealText, StoredOrder } from './order-types.ts';

/** Ids are one of 32⁸: even a second attempt is rare. */
const MAX_ATTEMPTS = 20;
const PAGE = 200;

export type MakeOrder = (now: Date, seal: SealText) => Decided;
export interface CreateOptions extends Pick<ChangeOptions, 'seals'> {
  /** The caller has just looked for an order of this work; the unique creation id finds what came in between. */
  readonly isLookedFor?: boolean;
}

export class OrderCreation {
  readonly #documents: OrderDocuments;

  constructor(documents: OrderDocuments) {
    this.#documents = documents;
  }

  async create(
    organisationId: OrganisationId,
    work: OrderWork,
    make: (id: OrderId, now: Date, seal: SealText) => Decided,
    options: CreateOptions,
  ): Promise<StoredOrder> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const id = orderIdOf(work.workId, attempt);
      const created = await this.insert(organisationId, work, id, (now, seal) => make(id, now, seal), options);
      if (created) return created;
    }
    throw new ServiceError('UNAVAILABLE', 'No order number was found; try again.', { headers: { 'retry-after': '1' } });
  }

  async insert(
    organisationId: OrganisationId,
    work: OrderWork,
    id: OrderId,
    make: MakeOrder,
    { seals, isLookedFor = false }: CreateOptions,
  ): Promise<StoredOrder | undefined> {
    const earlier = isLookedFor ? undefined : await this.findCreated(organisationId, work);
    if (earlier) return earlier;
    const { keys, collection, aggregates, now: clock } = this.#documents;
    const now = clock();
    // No key is made for an order of another organisation.
    if (seals && (await collection.findOne({ _id: id }, { projection: { _id: 1 } }))) return undefined;
    const key = seals ? await openToSeal(keys, { _id: id, organisationId } as OrderDocument) : undefined;
    const made = make(now, sealerOf(key));
    const { order, pendingStart } = made;
    const content = { ...newMembers(order, { revision: 1, since: now }), _id: id, ...(key && { keyId: key.keyId }) };
    const first = { events: postedEvents(undefined, made), ...(pendingStart !== undefined && { pendingStart }) };
    try {
      const { document } = await aggregates.create(content as never, work, first);
      // The record of a repeat may name the order of another organisation when it was changed by hand.
      if (document.organisationId !== organisationId) throw notFound();
      return await this.#documents.finish(document);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another order has the id or the money, so no order names this key.
      if (key) await keys?.discard(key.keyId);
      if (isDuplicateKey(error, IMPORTS_INDEX)) throw duplicateTransaction();
      return undefined;
    }
  }

  /** Drafts of works whose ids begin so. */
  async listDraftsCreated(organisationId: OrganisationId, workIdsBegin: string): Promise<readonly OrderId[]> {
    const after = `${workIdsBegin}\u{ffff}`;
    const filter = { creationId: { $gte: workIdsBegin, $lt: after }, organisationId, status: 'DRAFT' } as const;
    const options = { projection: { _id: 1 }, hint: CREATIONS_INDEX } as const;
    return (await this.#documents.collection.find(filter as object, options).toArray()).map(({ _id }) => _id);
  }

  async *pagesOfPenalties(before: Date): AsyncIterable<readonly Pick<Order, 'organisationId' | 'id'>[]> {
    const filter = { ...PENALTY_DRAFTS, createdAt: { $lte: before } } as object;
    const options = { projection: { organisationId: 1 }, hint: PENALTIES_INDEX } as const;
    for await (const page of batchesOf(this.#documents.collection.find(filter, options), { count: PAGE })) {
      yield page.map(({ _id: id, organisationId }) => ({ id, organisationId }));
    }
  }

  async findCreated(
    organisationId: OrganisationId,
    { workId }: Pick<OrderWork, 'workId'>,
  ): Promise<StoredOrder | undefined> {
    const filter = () => ({ creationId: workId, organisationId });
    const found = await this.#documents.aggregates.find({ filter, hint: CREATIONS_INDEX });
    return found && (await this.#documents.show(found.document));
  }
}
