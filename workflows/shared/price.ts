/** Prices as they are stored; presenters write them as `{amount, currency, taxAmount, …}`. Types and pure functions. */
import { containedTax, multiplyRounded, sumOf } from './money.ts';

export interface Price {
  /** Includes the tax. In the smallest unit of the order's, or the offer's, currency. */
  readonly amountMinor: number;
  /** Contained in the amount; never computed again once it is stored. */
  readonly taxMinor: number;
  /** Hundredths of a percent; absent where parts of the price have different rates. */
  readonly taxBasisPoints?: number;
  /** As `VAT_LOW`. */
  readonly taxCode?: string;
}

export interface TaxRate {
  readonly code: string;
  readonly basisPoints: number;
}

export const NO_PRICE: Price = { amountMinor: 0, taxMinor: 0 };

export function priceWithTax(amountMinor: number, { code, basisPoints }: TaxRate): Price {
  return { amountMinor, taxMinor: containedTax(amountMinor, basisPoints), taxBasisPoints: basisPoints, taxCode: code };
}

/** The sum of prices. It names a tax rate when all of them have the same one. */
export function totalPrice(prices: readonly Price[]): Price {
  const [first] = prices;
  const total = {
    amountMinor: sumOf(prices.map(({ amountMinor }) => amountMinor)),
    taxMinor: sumOf(prices.map(({ taxMinor }) => taxMinor)),
  };
  const isOneRate = prices.every(
    ({ taxBasisPoints, taxCode }) => taxBasisPoints === first?.taxBasisPoints && taxCode === first?.taxCode,
  );
  if (!isOneRate) return total;
  return {
    ...total,
    ...(first?.taxBasisPoints !== undefined && { taxBasisPoints: first.taxBasisPoints }),
    ...(first?.taxCode !== undefined && { taxCode: first.taxCode }),
  };
}

/** Another amount at the same rate of tax; where parts have different rates, with the tax in proportion. */
export function resizedPrice(price: Price, amountMinor: number): Price {
  const { taxBasisPoints, taxMinor } = price;
  if (taxBasisPoints !== undefined)
    return { ...price, amountMinor, taxMinor: containedTax(amountMinor, taxBasisPoints) };
  const tax = price.amountMinor === 0 ? 0 : multiplyRounded(taxMinor, amountMinor, price.amountMinor);
  return { ...price, amountMinor, taxMinor: tax };
}
