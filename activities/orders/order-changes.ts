/**
 * Changes orders: reads, asks the rules, and writes on condition of what was read. A confirmed version that the write
 * drops from the document is kept first. Caller: the store.
 */
import { isDeepStrictEqual } from 'node:util';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { NewDataKey } from '../../platform/personal/subject-keys.ts';
import type { ConfirmedVersion, Order } from '../../workflows/orders/rules/order.ts';
import { hasEffect } from '../../workflows/orders/rules/order-change.ts';
import { postedEvents } from '../../workflows/orders/rules/postings.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { duplicateTransaction } from '../../workflows/shared/import-keys.ts';
import { everNamedMember } from './ever-named.ts';
import type { OrderDocument } from './order-document.ts';
import { type OrderDocuments, placeOf, sealerOf } from './order-documents.ts';
import { IMPORTS_INDEX } from './order-indexes.ts';
import { changedMembers, toOrder } from './order-members.ts';
import { notFound } from './order-refusals.ts';
import { openToSeal } from './order-texts.ts';
import type { ChangeOptions, ChangeWork, Decide, StoredOrder, Tenancy } from './order-types.ts';
import { droppedVersion } from './order-versions.ts';

/** A write would drop a confirmed version that is not kept yet as it is now. */
class UnkeptVersion extends Error {
  readonly order: Order;
  readonly revision: number;

  constructor(order: Order, revision: number) {
    super('A confirmed version must be kept first');
    this.order = order;
    this.revision = revision;
  }
}

interface Changing {
  readonly decide: Decide;
  readonly options: ChangeOptions;
  /** Versions that are kept, as they were then: a line may have been marked since. */
  readonly kept: ReadonlyMap<number, ConfirmedVersion>;
}

export class OrderChanges {
  readonly #documents: OrderDocuments;

  constructor(documents: OrderDocuments) {
    this.#documents = documents;
  }

  async change(
    tenancy: Tenancy,
    orderId: OrderId,
    work: ChangeWork,
    decide: Decide,
    options: ChangeOptions,
  ): Promise<StoredOrder> {
    const { keys, aggregates, versions } = this.#documents;
    const kept = new Map<number, ConfirmedVersion>();
    const open = async (document: OrderDocument) => ({ key: options.seals && (await openToSeal(keys, document)) });
    for (;;) {
      try {
        const place = { ...placeOf(tenancy, orderId), open };
        const changed = await aggregates.change(place, work, ({ document, opened: { key } }) =>
          this.#step(document, key, { decide, options, kept }),
        );
        if (!changed) throw notFound();
        return await this.#documents.finish(changed.document);
      } catch (error) {
        if (isDuplicateKey(error, IMPORTS_INDEX)) throw duplicateTransaction();
        if (!(error instanceof UnkeptVersion)) throw error;
        const { order, revision } = error;
        await versions.keep(order, revision);
        if (order.confirmed) kept.set(order.confirmed.version, order.confirmed);
      }
    }
  }

  #step(document: OrderDocument, key: NewDataKey | undefined, { decide, options, kept }: Changing) {
    const { revision } = document;
    const before = toOrder(document);
    options.ifMatch?.({ version: before.version, revision });
    const now = this.#documents.now();
    const decided = decide(before, now, sealerOf(key));
    const { order: after, pendingStart, textsErased = false } = decided;
    const isErased = textsErased && document.keyId !== undefined;
    if (!hasEffect(before, decided) && pendingStart === undefined && !isErased) return undefined;
    const dropped = droppedVersion(before, after);
    if (dropped !== undefined && !isDeepStrictEqual(kept.get(dropped), before.confirmed)) {
      throw new UnkeptVersion(before, revision);
    }
    const set = {
      ...changedMembers(before, after, { revision: revision + 1, since: now }),
      // Documents from before the list name customers that it lacks.
      ...everNamedMember(document, before, after),
      ...(key && key.keyId !== document.keyId && { keyId: key.keyId }),
      ...(isErased && { keyId: undefined, textsErasedAt: now }),
    };
    return { set, events: postedEvents(before, decided), ...(pendingStart !== undefined && { pendingStart }) };
  }
}
