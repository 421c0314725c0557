/** JSON of receipts. */
import type { StoredReceipt } from '../../activities/receipts/receipt-members.ts';
import type { Receipt, ReceiptPayment } from '../../workflows/receipts/rules/receipt.ts';
import { serialNumber } from '../../workflows/receipts/rules/serial.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import type { Sent } from '../shared/operation.ts';
import { presentPrice } from '../shared/prices.ts';
import type { Schemas } from './contract.gen.ts';

const BASIS_POINTS_PER_PERCENT = 100;

export function presentReceipt(stored: StoredReceipt): Sent<Schemas['Receipt']> {
  const { receipt, copyOf, status, recordedAt } = stored;
  const { reference, receiptType, orderId, orderVersion, organisationId, currency, seller, language } = receipt;
  return {
    ...{ reference, serialNumber: serialNumber(receipt), receiptType, orderId, orderVersion, organisationId },
    ...{ copy: copyOf !== undefined, copyOf },
    ...presentContent(receipt),
    ...{ currency, seller, language, status },
    ...presentMails(stored),
    createdAt: recordedAt.toISOString(),
  };
}

function presentContent({ currency, totalMinor, vat, lines, payments, credits }: Receipt) {
  const amount = (amountMinor: number) => formatAmount(amountMinor, currency);
  const moved = ({ amountMinor, at, last4, paymentTypeGroup, paymentType, paidOtherwise }: ReceiptPayment) => ({
    ...{ paymentTypeGroup: paymentTypeGroup as never, paymentType, cardNumber: last4, paidOtherwise },
    ...{ amount: amount(amountMinor), at: at.toISOString() },
  });
  return {
    total: amount(totalMinor),
    vat: vat.map(({ basisPoints, code, baseMinor, taxMinor }) => ({
      rate: basisPoints === undefined ? undefined : basisPoints / BASIS_POINTS_PER_PERCENT,
      ...{ taxCode: code, base: amount(baseMinor), tax: amount(taxMinor) },
    })),
    lines: lines.map(({ price, supplementNames, ...line }) => ({
      ...line,
      supplements: supplementNames?.map((name) => ({ name })),
      price: presentPrice(price, currency),
    })),
    payments: payments.map(moved),
    credits: credits.map(moved),
  };
}

function presentMails({ mailings }: StoredReceipt) {
  const sent = mailings.flatMap(({ status, settledAt }) => (status === 'SENT' && settledAt ? [settledAt] : []));
  const last = sent.toSorted((one, other) => other.getTime() - one.getTime())[0];
  return { lastFailure: mailings.at(-1)?.lastFailure, sentAt: last?.toISOString() };
}
