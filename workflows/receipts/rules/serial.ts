/** Serial numbers of receipts: gapless in each organisation and year. Pure. */
import type { OrganisationId } from '../../shared/ids.ts';
import { localDateOf } from '../../shared/local-time.ts';
import type { Receipt } from './receipt.ts';

export type Serial = Pick<Receipt, 'organisationId' | 'year' | 'number'>;

/** As `1-2026-17`. */
export function serialNumber({ organisationId, year, number }: Serial): string {
  return `${organisationId}-${year}-${number}`;
}

const SERIAL = /^([1-9]\d{0,15})-(\d{4})-([1-9]\d{0,15})$/;

/** Inverse of {@link serialNumber}; undefined for any other text. */
export function parseSerialNumber(text: string): Serial | undefined {
  const [, organisationId, year, number] = SERIAL.exec(text) ?? [];
  if (organisationId === undefined) return undefined;
  return { organisationId: Number(organisationId) as OrganisationId, year: Number(year), number: Number(number) };
}

/** The year of an instant on the clock of the catalogue's time zone. */
export function serialYear(instant: Date, timeZone: string): number {
  return Number(localDateOf(instant, timeZone).slice(0, 4));
}
