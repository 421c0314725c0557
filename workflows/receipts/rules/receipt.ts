/**
 * A receipt, as the rules of this folder see it. Types and their names. Amounts are in the smallest unit of its currency. Nothing here
 * names a person.
 */
import type {
  DistributionChannelId,
  OrderId,
  OrderLineId,
  OrganisationId,
  ReceiptReference,
} from '../../shared/ids.ts';
import type { Price } from '../../shared/price.ts';
import type { Text, TextLanguage } from '../../shared/text.ts';

/** SALE: the first version. CHANGE: a later one. CANCEL: nothing is left of the order. REFUND: money went back, nothing was sold. */
export type ReceiptType = (typeof RECEIPT_TYPES)[number];
export const RECEIPT_TYPES = ['SALE', 'CHANGE', 'CANCEL', 'REFUND'] as const;
/** FAILED: the last mail did not arrive within 24 hours, or its address is refused. */
export type ReceiptStatus = 'CREATED' | 'SENDING' | 'SENT' | 'FAILED';

/** What the buyer paid for, or got back: negative then. */
export interface ReceiptLine {
  readonly kind: 'LINE' | 'FEE';
  readonly orderLineId?: OrderLineId;
  readonly description: readonly Text[];
  /** Of its supplements, as they were called at the time of the receipt. Absent: none, or made before they were kept. */
  readonly supplementNames?: readonly (readonly Text[])[];
  /** 0 for a fee. */
  readonly travellerCount: number;
  readonly price: Price;
}

export interface ReceiptPayment {
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  readonly last4?: string;
  /** Of what is credited: the seller has paid it in another way than by this method, which had paid the order. */
  readonly paidOtherwise?: true;
  readonly amountMinor: number;
  readonly at: Date;
}

/** One rate of value added tax: `baseMinor` is without tax. */
export interface ReceiptVat {
  /** Hundredths of a percent. Absent for prices that hold tax without naming its rate, as a caller with `orders:price` may write. */
  readonly basisPoints?: number;
  readonly code?: string;
  readonly baseMinor: number;
  readonly taxMinor: number;
}

/** Facts of the seller at the time of the receipt: they stay when the catalogue changes. */
export interface ReceiptSeller {
  readonly name: string;
  /** As `915 123 456 MVA`. */
  readonly vatNumber?: string;
  readonly address?: readonly string[];
  readonly contact?: string;
}

export interface Receipt {
  readonly reference: ReceiptReference;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  /** Gapless from 1, per organisation and year of `createdAt` in the catalogue's time zone. */
  readonly year: number;
  readonly number: number;
  readonly receiptType: ReceiptType;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly currency: string;
  /** Captured less credited, of that version. */
  readonly totalMinor: number;
  readonly lines: readonly ReceiptLine[];
  readonly vat: readonly ReceiptVat[];
  readonly payments: readonly ReceiptPayment[];
  readonly credits: readonly ReceiptPayment[];
  readonly seller: ReceiptSeller;
  readonly language: TextLanguage;
  readonly createdAt: Date;
}
