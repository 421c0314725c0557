/**
 * Amounts of money: integers in the smallest unit of their currency, and decimal text where callers read them. Pure.
 *
 * JSON numbers become binary floats in many clients, and a bare integer is easily misread by a factor of 100. So
 * amounts are texts in requests and answers, and integers everywhere else.
 */

/** Digits after the decimal point by ISO 4217. Every other currency has two. */
const FRACTION_DIGITS: ReadonlyMap<string, number> = new Map([
  ...digitsOf(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digitsOf(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digitsOf(4, 'CLF UYW'),
]);
const USUAL_DIGITS = 2;
const AMOUNT = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,4}))?$/;
const BASIS_POINTS = 10_000;

export function fractionDigits(currency: string): number {
  return FRACTION_DIGITS.get(currency) ?? USUAL_DIGITS;
}

function digitsOf(digits: number, currencies: string): readonly (readonly [string, number])[] {
  return currencies.split(' ').map((currency) => [currency, digits]);
}

/** Undefined when the text is no amount of this currency: wrong form, too many digits, or beyond exact integers. */
export function parseAmount(text: string, currency: string): number | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = fractionDigits(currency);
  if (fraction.length > digits) return undefined;
  const minor = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(minor)) return undefined;
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** Always with exactly the currency's number of fraction digits. Throws RangeError when the amount is no integer. */
export function formatAmount(amountMinor: number, currency: string): string {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`${amountMinor} is no amount in minor units`);
  const digits = fractionDigits(currency);
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0');
  const sign = amountMinor < 0 ? '-' : '';
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Exact `value × numerator / denominator`, rounded half away from zero. `denominator` is positive. */
export function multiplyRounded(value: number, numerator: number, denominator: number): number {
  const product = BigInt(value) * BigInt(numerator);
  const divisor = BigInt(denominator);
  const size = product < 0n ? -product : product;
  const rounded = (2n * size + divisor) / (2n * divisor);
  return Number(product < 0n ? -rounded : rounded);
}

/** The tax that an amount contains. `taxBasisPoints`: hundredths of a percent, 1200 for 12 %. */
export function containedTax(amountMinor: number, taxBasisPoints: number): number {
  return multiplyRounded(amountMinor, taxBasisPoints, BASIS_POINTS + taxBasisPoints);
}

/** `percent` of an amount; up to two decimals of a percent count. */
export function percentOf(amountMinor: number, percent: number): number {
  return multiplyRounded(amountMinor, Math.round(percent * 100), BASIS_POINTS);
}

/** Parts in proportion to their weights. They add up exactly: the remainder goes to the last part. */
export function splitAmount(amountMinor: number, weights: readonly number[]): readonly number[] {
  if (weights.length === 0) throw new RangeError('An amount is split into one part at least');
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.slice(0, -1).map((weight) => (total === 0 ? 0 : multiplyRounded(amountMinor, weight, total)));
  return [...parts, amountMinor - parts.reduce((sum, part) => sum + part, 0)];
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
