/** The fee of money that an operator has decided not to pay back: the order keeps it, and stays balanced. Pure. */
import type { Fee } from './order.ts';

/** Nothing was delivered for it, so it has no tax. */
export function keptFee(id: string, amountMinor: number, orderVersion: number): Fee {
  return { id, type: 'REFUNDING', price: { amountMinor, taxMinor: 0 }, orderLineIds: [], orderVersion };
}

export function keptFeeAdded({ id: feeId, type: feeType, orderVersion }: Fee) {
  return { type: 'FeeAdded' as const, orderVersion, feeId, feeType };
}
