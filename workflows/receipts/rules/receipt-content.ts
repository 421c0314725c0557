/** What the receipt of a confirmed version says: what was sold, its tax, and the money that moved for it. Pure. */
import { isLive } from '../../orders/rules/amounts.ts';
import type { OrderLine } from '../../orders/rules/order.ts';
import type { NamedProducts } from '../../orders/rules/supplement-names.ts';
import { sumOf } from '../../shared/money.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { Receipt, ReceiptPayment, ReceiptType } from './receipt.ts';
import { type SoldContent, type SoldEntry, soldDifference } from './sold-difference.ts';
import { vatOf } from './vat.ts';

/** Money of one version of an order. */
export interface MovedMoney {
  readonly captured: readonly ReceiptPayment[];
  readonly credited: readonly ReceiptPayment[];
}

export interface VersionFacts {
  /** Undefined for the first version. */
  readonly before?: SoldContent | undefined;
  readonly after: SoldContent;
  readonly money: MovedMoney;
  /** Of the catalogue: they name supplements. */
  readonly products?: NamedProducts;
}

export type ReceiptContent = Pick<Receipt, 'receiptType' | 'totalMinor' | 'lines' | 'vat' | 'payments' | 'credits'>;

/**
 * Undefined where the version has neither payment nor credit. Throws UNAVAILABLE while money of the version is on its way
 * back, as what was captured twice: until then the receipt would not add up.
 */
export function receiptContent({ before, after, money, products }: VersionFacts): ReceiptContent | undefined {
  const { captured, credited } = money;
  if (captured.length + credited.length === 0) return undefined;
  const entries = soldDifference(before, after, products);
  const totalMinor = amountOf(captured) - amountOf(credited);
  if (sumOf(entries.map(({ line }) => line.price.amountMinor)) !== totalMinor) throw notSettled();
  return {
    receiptType: typeOf({ before, after, money }, entries),
    totalMinor,
    lines: entries.map(({ line }) => line),
    vat: vatOf(entries.flatMap(({ parts }) => parts)),
    payments: captured,
    credits: credited,
  };
}

function typeOf({ before, after, money }: VersionFacts, entries: readonly SoldEntry[]): ReceiptType {
  if (!before) return 'SALE';
  if (refundedMinor(after) > refundedMinor(before)) return 'REFUND';
  if (before.orderLines.some(isLive) && !after.orderLines.some(isLive)) return 'CANCEL';
  const isSold = entries.some(({ line }) => line.kind === 'LINE' && line.price.amountMinor > 0);
  return !isSold && money.captured.length === 0 ? 'REFUND' : 'CHANGE';
}

function refundedMinor({ orderLines }: SoldContent): number {
  return sumOf(orderLines.map(({ refundedAmountMinor }: OrderLine) => refundedAmountMinor));
}

function amountOf(moved: readonly ReceiptPayment[]): number {
  return sumOf(moved.map(({ amountMinor }) => amountMinor));
}

function notSettled(): ServiceError {
  const detail = 'Money of this version of the order is on its way back to the customer. Ask for the receipt again.';
  return new ServiceError('UNAVAILABLE', detail, { headers: { 'Retry-After': '5' } });
}
