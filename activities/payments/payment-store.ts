/**
 * Payments: created, read and changed. The rules of workflows/payments decide; each change is one conditional write that
 * carries its events, and repeated under the same work id it changes nothing. Missing and foreign payments are
 * indistinguishable.
 *
 * Callers: the handlers of the API, the activities and sweeps of this folder.
 */
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { batchesOf } from '../../platform/batches.ts';
import { HAS_EVENTS, OUTBOX_INDEX } from '../../platform/events/outbox-index.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Payment, Transaction } from '../../workflows/payments/rules/payment.ts';
import { hasEffect } from '../../workflows/payments/rules/payment-change.ts';
import type { PaymentEvent } from '../../workflows/payments/rules/payment-events.ts';
import { postedEvents } from '../../workflows/payments/rules/postings.ts';
import { findTransaction } from '../../workflows/payments/rules/transactions.ts';
import type { OrderId, OrganisationId, PaymentId, SettlementId, TransactionId } from '../../workflows/shared/ids.ts';
import { duplicateTransaction } from '../../workflows/shared/import-keys.ts';
import { MAX_ID_ATTEMPTS, paymentIdOf, transactionIdOf } from './number-id.ts';
import { PAYMENTS_COLLECTION, type PaymentCollection, type PaymentDocument } from './payment-document.ts';
import { PAYMENT_EVENTS } from './payment-family.ts';
import { ID_INDEX, IMPORTS_INDEX, TRANSACTION_INDEX } from './payment-indexes.ts';
import { changedMembers, newMembers, toPayment } from './payment-members.ts';
import { busy, noIdLeft, notFound } from './payment-refusals.ts';
import type {
  ChangeWork,
  Decide,
  MakePayment,
  NewIds,
  PaymentStoreOptions,
  PaymentWork,
  StoredPayment,
  Tenancy,
} from './payment-types.ts';

const PAGE = 200;

export class PaymentStore {
  readonly #collection: PaymentCollection;
  readonly #payments: Aggregates<PaymentDocument, PaymentEvent>;
  readonly #now: () => Date;

  constructor({ connection, environment, now = () => new Date() }: PaymentStoreOptions) {
    const collection = PAYMENTS_COLLECTION.open(connection);
    this.#collection = collection;
    this.#payments = new Aggregates({ collection, family: PAYMENT_EVENTS, environment, busy, now });
    this.#now = now;
  }

  /**
   * Repeated with the same work id it answers the payment that the first attempt has created, as it is now. Throws what
   * `make` throws.
   */
  async create(organisationId: OrganisationId, work: PaymentWork, make: MakePayment): Promise<StoredPayment> {
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
      const now = this.#now();
      const made = make(idsOf(work.workId, attempt), now);
      const first = { events: postedEvents(made) };
      try {
        const { document } = await this.#payments.create(newMembers(made.payment, now) as never, work, first);
        if (document.organisationId !== organisationId) throw notFound();
        return toStored(document);
      } catch (error) {
        // Another payment has one of the ids.
        if (!isDuplicateKey(error)) throw error;
      }
    }
    throw noIdLeft();
  }

  /** The payment that this work has created. */
  async findCreated(
    organisationId: OrganisationId,
    { workId }: Pick<PaymentWork, 'workId'>,
  ): Promise<StoredPayment | undefined> {
    return await this.#find({ filter: () => ({ creationId: workId, organisationId }), hint: 'creations' });
  }

  /**
   * Throws NOT_FOUND, DUPLICATE_TRANSACTION and what `decide` throws. Answers the payment as it is after the change. Without
   * a work id the change removes its own condition.
   */
  async change(tenancy: Tenancy, paymentId: PaymentId, work: ChangeWork, decide: Decide): Promise<StoredPayment> {
    const place = placeOf(tenancy, paymentId);
    for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt += 1) {
      const ids = work.workId === undefined ? undefined : idsOf(work.workId, attempt);
      try {
        const changed = await this.#payments.change(place, work, ({ document }) => this.#step(document, decide, ids));
        if (!changed) throw notFound();
        return toStored(changed.document);
      } catch (error) {
        if (isDuplicateKey(error, IMPORTS_INDEX)) throw duplicateTransaction();
        if (!isDuplicateKey(error, TRANSACTION_INDEX)) throw error;
      }
    }
    throw noIdLeft();
  }

  async find(tenancy: Tenancy, paymentId: PaymentId): Promise<StoredPayment | undefined> {
    return await this.#find(placeOf(tenancy, paymentId));
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, paymentId: PaymentId): Promise<StoredPayment> {
    const found = await this.find(tenancy, paymentId);
    if (!found) throw notFound();
    return found;
  }

  /** One indexed read, to check that it exists before the body is checked. Throws NOT_FOUND. */
  async require(tenancy: Tenancy, paymentId: PaymentId): Promise<void> {
    const place = { ...placeOf(tenancy, paymentId), projection: { _id: 1 } as const };
    if (!(await this.#payments.find(place))) throw notFound();
  }

  /** For reports of providers, which name the transaction. Never for a caller: it asks no organisation. */
  async findByTransaction(transactionId: TransactionId): Promise<StoredPayment | undefined> {
    const filter = () => ({ 'transactions.id': transactionId }) as object;
    return await this.#find({ filter, hint: TRANSACTION_INDEX });
  }

  /** In no order; those that exist. The caller has found the ids in documents of its own. */
  async listByIds(paymentIds: readonly PaymentId[]): Promise<readonly StoredPayment[]> {
    const found = this.#collection.find({ _id: { $in: paymentIds.map(String) } }, { promoteBuffers: true });
    return (await found.toArray()).map((document) => toStored(document as unknown as PaymentDocument));
  }

  /** By their creation. */
  async listOfOrder(organisationId: OrganisationId, orderId: OrderId): Promise<readonly StoredPayment[]> {
    const found = this.#collection.find({ organisationId, orderId }, { promoteBuffers: true, sort: { createdAt: 1 } });
    return (await found.toArray()).map((document) => toStored(document as unknown as PaymentDocument));
  }

  /** Events that post for this settlement are on their way to the ledger. */
  async hasPendingEntries(settlementId: SettlementId): Promise<boolean> {
    const pending = { ...HAS_EVENTS, 'outbox.entry.settlementId': settlementId } as object;
    return (await this.#collection.findOne(pending, { projection: { _id: 1 }, hint: OUTBOX_INDEX })) !== null;
  }

  /** Payments with a transaction that may still capture, and has had no step since `before`; longest idle first. */
  pagesOfIdle(before: Date): AsyncIterable<readonly StoredPayment[]> {
    return this.#pagesSince('openSince', before);
  }

  /** Payments with a call of a provider whose outcome has been unknown since `before`; longest first. */
  pagesOfCalling(before: Date): AsyncIterable<readonly StoredPayment[]> {
    return this.#pagesSince('callingSince', before);
  }

  async *#pagesSince(member: 'openSince' | 'callingSince', before: Date): AsyncIterable<readonly StoredPayment[]> {
    const options = { promoteBuffers: true, sort: { [member]: 1 as const } };
    const found = this.#collection.find({ [member]: { $lte: before } }, options);
    for await (const page of batchesOf(found, { count: PAGE })) {
      yield page.map((document) => toStored(document as unknown as PaymentDocument));
    }
  }

  async #find(place: Place<PaymentDocument>): Promise<StoredPayment | undefined> {
    const found = await this.#payments.find(place);
    return found && toStored(found.document);
  }

  #step(document: PaymentDocument, decide: Decide, ids: NewIds | undefined) {
    const now = this.#now();
    const before = toPayment(document);
    const decided = decide(before, now, ids ?? NO_IDS);
    if (!hasEffect(before, decided)) return undefined;
    return { set: changedMembers(before, decided.payment, now), events: postedEvents(decided) };
  }
}

/** The transaction that this work has made. */
export function madeTransaction(payment: Payment, { workId }: Pick<PaymentWork, 'workId'>): Transaction | undefined {
  const attempts = Array.from({ length: MAX_ID_ATTEMPTS }, (_, attempt) => transactionIdOf(workId, attempt));
  return attempts.map((id) => findTransaction(payment, id)).find((found) => found !== undefined);
}

export function toStored(document: PaymentDocument): StoredPayment {
  const { revision, untoldSince } = document;
  return { payment: toPayment(document), revision, isUntold: untoldSince !== undefined };
}

/** With the index of the organisation a foreign payment costs what an absent one costs. */
export function placeOf(tenancy: Tenancy, paymentId: PaymentId): Place<PaymentDocument> {
  const _id = String(paymentId);
  return tenancy === 'ANY'
    ? { filter: () => ({ _id }), hint: '_id_' }
    : { filter: () => ({ _id, organisationId: tenancy }), hint: ID_INDEX };
}

function idsOf(workId: string, attempt: number): NewIds {
  return { paymentId: paymentIdOf(workId, attempt), transactionId: transactionIdOf(workId, attempt) };
}

const NO_IDS: NewIds = {
  get paymentId(): never {
    throw new Error('A change that makes something has a work id');
  },
  get transactionId(): never {
    throw new Error('A change that makes something has a work id');
  },
};
