/**
 * Sends the receipt of a version, or a copy of it, to whom a caller names: writes the mail down, and answers before it is sent.
 * Caller: the operation of the API.
 */
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { MailTarget } from '../../workflows/receipts/rules/mailing.ts';
import type { ReceiptType } from '../../workflows/receipts/rules/receipt.ts';
import { serialNumber } from '../../workflows/receipts/rules/serial.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { ReceiptIssuing, WantedVersion } from './receipt-issuing.ts';
import type { StoredReceipt } from './receipt-members.ts';
import type { ReceiptStore, ReceiptWork } from './receipt-store.ts';
import { sealAddress } from './sealed-address.ts';

export interface SendingDependencies {
  readonly receipts: Pick<ReceiptStore, 'findOriginal' | 'addMail' | 'copy'>;
  readonly issuing: Pick<ReceiptIssuing, 'issue' | 'typeOf'>;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly customers: () => Pick<CustomerReader, 'listWithEmail'>;
  readonly keys: SubjectKeys;
}

export interface WantedSending {
  /** Given, or that of the order's contact. */
  readonly email?: string | undefined;
  /** A telephone was named, which nothing can be sent to yet. */
  readonly byTelephone: boolean;
  readonly language?: TextLanguage | undefined;
  /** What the caller takes it for. */
  readonly receiptType?: ReceiptType | undefined;
  readonly serialNumber?: string | undefined;
  readonly copy: boolean;
}

/** Repeatable. Throws NOT_FOUND, NO_RECEIPT_FOR_VERSION, NO_DELIVERY_ADDRESS, INVALID_STATE, UNAVAILABLE. */
export async function sendReceipt(
  dependencies: SendingDependencies,
  version: WantedVersion,
  wanted: WantedSending,
  work: ReceiptWork,
): Promise<StoredReceipt> {
  const order = await dependencies.orders().get(version.tenancy, version.orderId);
  await assertAsWanted(dependencies, version, wanted);
  const target = await targetOf(dependencies, order, wanted);
  const issued = await dependencies.issuing.issue(version, { correlationId: work.correlationId });
  if (!issued) throw noReceipt();
  const { receipts } = dependencies;
  return wanted.copy
    ? await receipts.copy(issued, target, work)
    : await receipts.addMail(issued.receipt.reference, target, work);
}

/** Throws NOT_FOUND, NO_RECEIPT_FOR_VERSION, UNAVAILABLE. */
export async function typeOfReceipt(
  { orders, issuing }: Pick<SendingDependencies, 'orders' | 'issuing'>,
  version: WantedVersion,
): Promise<ReceiptType> {
  const found = await issuing.typeOf(version);
  if (found) return found;
  await orders().get(version.tenancy, version.orderId);
  throw noReceipt();
}

/** First of all: no address helps a version without a receipt. One that the caller does not mean gets no number by asking. */
async function assertAsWanted(
  { receipts, issuing }: SendingDependencies,
  version: WantedVersion,
  { receiptType, serialNumber: serial }: WantedSending,
): Promise<void> {
  const type = await issuing.typeOf(version);
  if (type === undefined) throw noReceipt();
  if (receiptType !== undefined && type !== receiptType) throw noReceipt(`Its receipt is of the type ${type}.`);
  if (serial === undefined) return;
  const original = await receipts.findOriginal(version.tenancy, version.orderId, version.orderVersion);
  if (!original) throw noReceipt('No receipt of it was made yet, so none has that serial number.');
  const known = serialNumber(original.receipt);
  if (known !== serial) throw noReceipt(`Its receipt has the serial number ${known}.`);
}

async function targetOf(
  { customers, keys }: SendingDependencies,
  { id: orderId, organisationId, contact, createdBy }: Order,
  { email, byTelephone, language }: WantedSending,
): Promise<MailTarget> {
  const inLanguage = language === undefined ? {} : { language };
  if (email !== undefined) {
    return { ...inLanguage, address: await sealAddress(keys, { orderId, organisationId }, email) };
  }
  if (byTelephone) throw noAddress('Receipts are not sent to telephones. Give an e-mail address.');
  const customerNumber = contact ?? createdBy;
  if (customerNumber === undefined) throw noAddress('The order has no contact. Give an e-mail address.');
  const reached = await customers().listWithEmail(organisationId, [customerNumber]);
  if (reached.size === 0) throw noAddress('The contact of the order has no e-mail address. Give one.');
  return { ...inLanguage, customerNumber };
}

function noReceipt(why?: string): ServiceError {
  const what = 'This version of the order has no such receipt';
  const fallback = 'it was not confirmed, or nothing was paid or credited for it.';
  return new ServiceError('NO_RECEIPT_FOR_VERSION', why === undefined ? `${what}: ${fallback}` : `${what}. ${why}`);
}

function noAddress(detail: string): ServiceError {
  return new ServiceError('NO_DELIVERY_ADDRESS', detail);
}
