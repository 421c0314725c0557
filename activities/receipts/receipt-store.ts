/**
 * Receipts: made, read, and given the outcome of their mails. Missing and foreign receipts are indistinguishable. Callers: the
 * operations of the API, the activities and sweeps of this folder.
 */
import type { Connection } from 'mongoose';
import type { AggregateBusy } from '../../platform/aggregate/aggregate-busy.ts';
import type { Place } from '../../platform/aggregate/aggregate-types.ts';
import { Aggregates } from '../../platform/aggregate/aggregates.ts';
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import {
  addMailing,
  CONTACT_MAILING,
  type Mailing,
  type MailResult,
  type MailTarget,
  newMailing,
  noteResult,
} from '../../workflows/receipts/rules/mailing.ts';
import type { Receipt } from '../../workflows/receipts/rules/receipt.ts';
import type { OrderId, OrganisationId, ReceiptReference } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { RECEIPT_DOCUMENTS, RECEIPT_INDEX, type ReceiptCollection, type ReceiptDocument } from './receipt-document.ts';
import { mailMembers, type StoredReceipt, toStored } from './receipt-members.ts';
import { SerialClaims } from './serial-claims.ts';

/** `ANY`: receipts of every organisation. */
export type Tenancy = OrganisationId | 'ANY';

export interface ReceiptWork {
  readonly workId: string;
  readonly correlationId: string;
}

export interface NewReceipt {
  readonly receipt: Omit<Receipt, 'reference' | 'year' | 'number' | 'createdAt'>;
  readonly timeZone: string;
  readonly contact?: StoredReceipt['contact'] | undefined;
}

export interface ReceiptStoreOptions {
  readonly connection: Connection;
  readonly now?: () => Date;
}

/** A receipt whose workflow must be started or signalled. */
export type WantedMail = Pick<ReceiptDocument, 'organisationId' | 'orderId' | 'correlationId' | 'revision'> & {
  readonly reference: ReceiptReference;
};

/** Each is a document and a mail. */
const MOST_COPIES = 50;
const START_MEMBERS = { organisationId: 1, orderId: 1, correlationId: 1 } as const;

export class ReceiptStore {
  readonly now: () => Date;
  readonly #collection: ReceiptCollection;
  readonly #receipts: Aggregates<ReceiptDocument>;
  readonly #pending: PendingStarts<ReceiptDocument>;
  readonly #serials: SerialClaims;

  constructor({ connection, now = () => new Date() }: ReceiptStoreOptions) {
    this.now = now;
    this.#collection = RECEIPT_DOCUMENTS.open(connection);
    this.#receipts = new Aggregates<ReceiptDocument>({ collection: this.#collection, now, busy });
    this.#pending = new PendingStarts(this.#collection, START_MEMBERS);
    this.#serials = new SerialClaims(this.#collection, this.#receipts, now);
  }

  /** With the next number of its organisation and year. The receipt of a version is one: a repeat answers it as it is now. */
  async issue({ receipt, timeZone, contact }: NewReceipt, work: Omit<ReceiptWork, 'workId'>): Promise<StoredReceipt> {
    const { orderId, orderVersion } = receipt;
    const workId = `receipt/${orderId}/v${orderVersion}`;
    const content = {
      ...{ _id: originalReference(orderId, orderVersion), ...receipt, isOriginal: true as const, timeZone },
      ...(contact !== undefined && { contact }),
      ...{ mailings: [], correlationId: work.correlationId },
    };
    return toStored(await this.#serials.insert(content, { ...work, workId }));
  }

  /**
   * Marked, and with the number of the original. Its mail is written down with it, and its workflow is pending. Throws INVALID_STATE
   * after too many copies.
   */
  async copy(
    { document: original }: StoredReceipt,
    target: MailTarget,
    { workId, correlationId }: ReceiptWork,
  ): Promise<StoredReceipt> {
    const { _id: copyOf, isOriginal, recordedAt, mailings, mailDueAt, ...rest } = contentOf(original);
    const reference = copyReference(workId);
    await this.#assertCopiesLeft(original, reference);
    const now = this.now();
    const first = [newMailing('1', target, now)];
    const content = { ...rest, _id: reference, copyOf, recordedAt: now, correlationId };
    const { document } = await this.#receipts.create(
      { ...content, ...mailMembers(first) } as never,
      { workId, correlationId },
      { pendingStart: true },
    );
    return toStored(document);
  }

  /** A repeat finds its own copy, which does not count. */
  async #assertCopiesLeft({ _id: copyOf, orderId }: ReceiptDocument, reference: ReceiptReference): Promise<void> {
    const others = { orderId, copyOf, _id: { $ne: reference } };
    const count = await this.#collection.countDocuments(others, { limit: MOST_COPIES, hint: RECEIPT_INDEX.order });
    if (count < MOST_COPIES) return;
    throw new ServiceError('INVALID_STATE', `The receipt has ${MOST_COPIES} copies. Download its PDF instead.`);
  }

  /** Writes down a mail that a caller wants; its workflow is pending then. Throws NOT_FOUND, INVALID_STATE. */
  async addMail(reference: ReceiptReference, target: MailTarget, { workId }: ReceiptWork): Promise<StoredReceipt> {
    const changed = await this.#receipts.change(placeOf('ANY', reference), { workId }, ({ document }) => ({
      set: mailMembers(addMailing(document.mailings, target, this.now())),
      pendingStart: true,
    }));
    if (!changed) throw notFound();
    return toStored(changed.document);
  }

  /** What became of an attempt. The mail to the contact is written down with its first outcome. Repeatable. Throws NOT_FOUND. */
  async noteResult(reference: ReceiptReference, tried: Mailing, result: MailResult): Promise<StoredReceipt> {
    const changed = await this.#receipts.change(placeOf('ANY', reference), {}, ({ document }) => {
      const { mailings } = document;
      const before = mailings.find(({ id }) => id === tried.id);
      if (!before && tried.id !== CONTACT_MAILING) return undefined;
      const after = noteResult(before ?? tried, result, this.now());
      if (after === before) return undefined;
      const all = before ? mailings.map((each) => (each === before ? after : each)) : [after, ...mailings];
      return { set: mailMembers(all) };
    });
    if (!changed) throw notFound();
    return toStored(changed.document);
  }

  async find(tenancy: Tenancy, reference: ReceiptReference): Promise<StoredReceipt | undefined> {
    const found = await this.#receipts.find(placeOf(tenancy, reference));
    return found && toStored(found.document);
  }

  /** Throws NOT_FOUND. */
  async get(tenancy: Tenancy, reference: ReceiptReference): Promise<StoredReceipt> {
    const found = await this.find(tenancy, reference);
    if (!found) throw notFound();
    return found;
  }

  async findOriginal(tenancy: Tenancy, orderId: OrderId, orderVersion: number): Promise<StoredReceipt | undefined> {
    return await this.find(tenancy, originalReference(orderId, orderVersion));
  }

  async listPendingStarts(before: Date, limit: number): Promise<readonly WantedMail[]> {
    return (await this.#pending.list(before, limit)).map(toWanted);
  }

  async clearPendingStart({ reference, revision }: Pick<WantedMail, 'reference' | 'revision'>): Promise<void> {
    await this.#pending.clear(reference, revision);
  }

  /** Mails of callers that should have been tried before then, longest first. */
  async listLate(before: Date, limit: number): Promise<readonly WantedMail[]> {
    const options = { projection: { ...START_MEMBERS, revision: 1 }, hint: RECEIPT_INDEX.due };
    const late = this.#collection
      .find({ mailDueAt: { $lt: before } }, options)
      .sort({ mailDueAt: 1 })
      .limit(limit);
    return (await late.toArray()).map((document) => toWanted(document as ReceiptDocument));
  }
}

export function wantedOf({ document, receipt }: StoredReceipt): WantedMail {
  const { organisationId, orderId, correlationId, revision } = document;
  return { organisationId, orderId, correlationId, revision, reference: receipt.reference };
}

/** Members that only the kit writes stay behind. */
function contentOf(document: ReceiptDocument) {
  const { revision, sequence, outbox, creationId, workIds, pendingStart, pendingSince, ...content } = document;
  return content;
}

function originalReference(orderId: OrderId, orderVersion: number): ReceiptReference {
  return workItemId(`${orderId}/v${orderVersion}`, 'receipt') as ReceiptReference;
}

export function copyReference(workId: string): ReceiptReference {
  return workItemId(workId, 'receipt-copy') as ReceiptReference;
}

function placeOf(tenancy: Tenancy, reference: ReceiptReference): Place<ReceiptDocument> {
  return tenancy === 'ANY'
    ? { filter: () => ({ _id: reference }), hint: '_id_' }
    : { filter: () => ({ _id: reference, organisationId: tenancy }), hint: RECEIPT_INDEX.id };
}

function toWanted({ _id: reference, organisationId, orderId, correlationId, revision }: ReceiptDocument): WantedMail {
  return { reference, organisationId, orderId, correlationId, revision };
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no such receipt.');
}

function busy({ retryAfterSeconds }: AggregateBusy): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many requests change this receipt at once; try again.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
