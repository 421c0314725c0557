/** The money of one version of an order. Provided by payments. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';

export interface MovedPart {
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  /** Last four digits of the card. */
  readonly last4?: string;
  /** Of what is credited: the seller has paid it in another way than by this method, which had paid the order. */
  readonly paidOtherwise?: true;
  readonly amountMinor: number;
  readonly at: Date;
}

/**
 * Also of drafts that were dropped since the version that was confirmed before it, where some of their money was kept: the fee for
 * it is of this version.
 */
export interface VersionMoney {
  /** Captured for this version, imports with it, by time. What was disputed later counts. */
  readonly captured: readonly MovedPart[];
  /** Credited in this version, whatever it was captured for, by time. Credits that are on their way, or have failed, are left out. */
  readonly credited: readonly MovedPart[];
}

export interface MoneyOfVersions {
  /** `before`: the version that was confirmed before it. */
  find(
    order: Pick<Order, 'organisationId' | 'id' | 'importedTransactions'>,
    orderVersion: number,
    before?: number,
  ): Promise<VersionMoney>;
}

export const VERSION_MONEY = interfaceKey<MoneyOfVersions>('version-money');
