/** Members that documents of UIC's rail ticket share: stations, and days counted from the day of issue, in UTC. Pure. */
import { fromUicInstant, toUicInstant } from '../../barcode/uic/day-of-year.ts';
import { fractionDigits, multiplyRounded } from '../../workflows/shared/money.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';

/** Of prices in the barcode, whatever their currency: the module has no room for one without decimals. */
export const PRICE_DIGITS = 2;

export interface NamedEnds {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly fromName: string | undefined;
  readonly toName: string | undefined;
}

/** Codes are ids of stops of this service. */
export function stationMembers({ from, to, fromName, toName }: NamedEnds) {
  return {
    stationCodeTable: 'localCarrierStationCodeTable' as const,
    ...(isIa5(from) && { fromStationIA5: from }),
    ...(isIa5(to) && { toStationIA5: to }),
    ...(fromName && { fromStationNameUTF8: fromName }),
    ...(toName && { toStationNameUTF8: toName }),
  };
}

/** With two decimals, also of a currency that has none. */
export function priceOf(amountMinor: number, currency: string): number {
  return multiplyRounded(amountMinor, 10 ** PRICE_DIGITS, 10 ** fractionDigits(currency));
}

/** Days in UTC from one instant's day to the other's. */
export function dayOffset(from: Date, to: Date): number {
  return (startOfDay(to) - startOfDay(from)) / DAY_MS;
}

function startOfDay(instant: Date): number {
  return fromUicInstant({ ...toUicInstant(instant), minutes: 0 }).getTime();
}

export function isIa5(text: string | undefined): text is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: IA5 is ASCII with its control characters.
  return text !== undefined && text.length > 0 && /^[\x00-\x7f]+$/.test(text);
}
