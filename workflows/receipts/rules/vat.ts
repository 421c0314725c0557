/** Value added tax of a receipt, rate by rate, as it was frozen in the prices. Pure. */
import { sumOf } from '../../shared/money.ts';
import type { Price } from '../../shared/price.ts';
import type { ReceiptVat } from './receipt.ts';

/** By rate, the lowest first. Rates whose sums are nothing are left out. */
export function vatOf(prices: readonly Price[]): readonly ReceiptVat[] {
  const groups = new Map<string, Price[]>();
  for (const price of prices) {
    const key = `${rateOf(price) ?? ''}/${price.taxCode ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), price]);
  }
  return [...groups.values()]
    .map(groupOf)
    .filter(({ baseMinor, taxMinor }) => baseMinor !== 0 || taxMinor !== 0)
    .sort((one, other) => (one.basisPoints ?? Infinity) - (other.basisPoints ?? Infinity) || byCode(one, other));
}

function groupOf(prices: readonly Price[]): ReceiptVat {
  const [first] = prices;
  const basisPoints = first && rateOf(first);
  const taxMinor = sumOf(prices.map((price) => price.taxMinor));
  return {
    ...(basisPoints !== undefined && { basisPoints }),
    ...(first?.taxCode !== undefined && { code: first.taxCode }),
    baseMinor: sumOf(prices.map(({ amountMinor }) => amountMinor)) - taxMinor,
    taxMinor,
  };
}

/** A price that names no rate and holds no tax is free of it. */
function rateOf({ taxBasisPoints, taxMinor }: Price): number | undefined {
  return taxBasisPoints ?? (taxMinor === 0 ? 0 : undefined);
}

function byCode({ code: one = '' }: ReceiptVat, { code: other = '' }: ReceiptVat): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
