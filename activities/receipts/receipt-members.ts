/** Between receipts as rules see them and documents as they are stored. Pure. */
import type { Members } from '../../platform/aggregate/aggregate-document.ts';
import { type Mailing, nextMailAt, receiptStatus } from '../../workflows/receipts/rules/mailing.ts';
import type { Receipt, ReceiptStatus } from '../../workflows/receipts/rules/receipt.ts';
import type { ReceiptDocument } from './receipt-document.ts';

export interface StoredReceipt
  extends Pick<ReceiptDocument, 'copyOf' | 'recordedAt' | 'timeZone' | 'contact' | 'mailings'> {
  readonly receipt: Receipt;
  readonly status: ReceiptStatus;
  /** As it was read, for what makes another document of it. */
  readonly document: ReceiptDocument;
}

export function toStored(document: ReceiptDocument): StoredReceipt {
  const { copyOf, recordedAt, timeZone, contact, mailings } = document;
  return {
    receipt: toReceipt(document),
    ...{ recordedAt, timeZone, mailings, status: receiptStatus(mailings), document },
    ...(copyOf !== undefined && { copyOf }),
    ...(contact !== undefined && { contact }),
  };
}

function toReceipt(document: ReceiptDocument): Receipt {
  const { _id: reference, organisationId, distributionChannelId, year, number, receiptType, orderId } = document;
  const { orderVersion, currency, totalMinor, lines, vat, payments, credits, seller, language, createdAt } = document;
  return {
    ...{ reference, organisationId, distributionChannelId, year, number, receiptType, orderId, orderVersion },
    ...{ currency, totalMinor, lines, vat, payments, credits, seller, language, createdAt },
  };
}

/** The members that follow from the mails. An address that is needed no more is not kept. */
export function mailMembers(
  mailings: readonly Mailing[],
): Members<ReceiptDocument> & Pick<ReceiptDocument, 'mailings'> {
  const kept = mailings.map(({ address, ...mailing }): Mailing => {
    return address && mailing.status === 'DUE' ? { ...mailing, address } : mailing;
  });
  return { mailings: kept, mailDueAt: nextMailAt(kept) };
}
