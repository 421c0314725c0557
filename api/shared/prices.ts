/** Prices on the wire: decimal texts with their currency. Callers: requests and presenters of the areas of sales. */
import { containedTax, formatAmount, parseAmount } from '../../workflows/shared/money.ts';
import type { Price } from '../../workflows/shared/price.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** In the smallest unit. So all lines and fees of an order add up to an exact integer, whatever they are. */
const MOST_MINOR = 1_000_000_000_000;

/** Schema `Price` of components.yaml. */
export function presentPrice({ amountMinor, taxMinor, taxBasisPoints, taxCode }: Price, currency: string) {
  return {
    amount: formatAmount(amountMinor, currency),
    currency,
    taxAmount: formatAmount(taxMinor, currency),
    ...(taxBasisPoints !== undefined && { taxRate: taxBasisPoints / 100 }),
    ...(taxCode !== undefined && { taxCode }),
  };
}

/** Schema `GivenPrice` of components.yaml. */
export interface GivenPrice {
  readonly amount: string;
  readonly currency?: string;
  readonly taxAmount?: string;
  readonly taxRate?: number;
  readonly taxCode?: string;
}

/** `pointer` names the price in the body. Throws VALIDATION_FAILED, or CURRENCY_MISMATCH for another currency. */
export function readPrice(given: GivenPrice, currency: string, pointer: string): Price {
  if (given.currency !== undefined && given.currency !== currency) {
    const detail = `The currency is ${currency}`;
    throw new ServiceError('CURRENCY_MISMATCH', `${detail}.`, {
      errors: [{ pointer: `${pointer}/currency`, code: 'CURRENCY_MISMATCH', detail }],
    });
  }
  const amountMinor = readAmount(given.amount, currency, `${pointer}/amount`);
  const taxBasisPoints = given.taxRate === undefined ? undefined : Math.round(given.taxRate * 100);
  const taxMinor =
    given.taxAmount === undefined
      ? containedTax(amountMinor, taxBasisPoints ?? 0)
      : readAmount(given.taxAmount, currency, `${pointer}/taxAmount`);
  return {
    amountMinor,
    taxMinor,
    ...(taxBasisPoints !== undefined && { taxBasisPoints }),
    ...(given.taxCode !== undefined && { taxCode: given.taxCode }),
  };
}

/** Throws VALIDATION_FAILED naming the member. */
export function readAmount(text: string, currency: string, pointer: string): number {
  const amountMinor = parseAmount(text, currency);
  const isTooMuch = Math.abs(amountMinor ?? 0) > MOST_MINOR;
  if (amountMinor !== undefined && !isTooMuch) return amountMinor;
  const most = `must be at most ${formatAmount(MOST_MINOR, currency)}`;
  const detail = isTooMuch ? most : `is no amount of ${currency}`;
  throw new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, {
    errors: [{ pointer, code: isTooMuch ? 'MAXIMUM' : 'PATTERN', detail }],
  });
}
