/** The texts of a ticket, for its PDF and its mail. Pure. */
import { type Formats, formatsOf } from '../../shared/pdf/formats.ts';
import { NO_BREAK } from '../../shared/pdf/styles.ts';
import { type LegView, viewLegs } from './leg-view.ts';
import type { SheetTraveller, TicketSheet } from './ticket-sheet.ts';
import { type TicketWords, ticketWords } from './ticket-words.ts';

const MOST_TITLE_ZONES = 4;
/** Alone it would not tell that it is a zone. */
const ZONE_CODE = /^[\dA-ZÆØÅ]{1,4}$/;

export interface TicketView {
  /** `Oslo S – Bergen stasjon`, or the zones. */
  readonly title: string;
  /** The title, after the product where that is a ticket for zones: for the subject of a mail. */
  readonly about: string;
  /** `tirsdag 24. november 2026, 08:25–14:57`. */
  readonly when: string;
  readonly facts: readonly Fact[];
  readonly travellers: readonly Fact[];
  readonly legs: readonly LegView[];
  readonly footer: string;
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

export function viewTicket(sheet: TicketSheet): TicketView {
  const words = ticketWords(sheet.language);
  const formats = formatsOf(sheet.language, sheet.timeZone);
  const day = formats.longDay(dayOf(sheet));
  const title = titleOf(sheet, words);
  const { legs, productName } = sheet;
  return {
    title,
    about: legs.length > 0 || title === productName ? title : `${productName}, ${title}`,
    when: capitalised(whenOf(sheet, formats, day)),
    facts: factsOf(sheet, words, formats),
    travellers: sheet.travellers.map(viewTraveller),
    legs: viewLegs(sheet, words, formats, day),
    footer: `${words.ticket} ${sheet.ticketId} · ${words.issued(sheet.issuer, formats.dayAndTime(sheet.issuedAt))}`,
  };
}

function dayOf({ legs, startOfValidity }: TicketSheet): Date {
  return legs[0]?.from.time ?? startOfValidity;
}

function titleOf({ legs, zones, productName }: TicketSheet, words: TicketWords): string {
  const [first, last] = [legs[0], legs.at(-1)];
  if (first && last) return `${first.from.name} – ${last.to.name}`;
  return zones === undefined || areMany(zones) ? productName : zonesOf(zones, words);
}

/** Too many for a title. */
function areMany({ names, allZones }: NonNullable<TicketSheet['zones']>): boolean {
  return !allZones && names.length > MOST_TITLE_ZONES;
}

function zonesOf({ names, allZones }: NonNullable<TicketSheet['zones']>, words: TicketWords): string {
  if (allZones || names.length === 0) return words.allZones;
  return names.every((name) => ZONE_CODE.test(name))
    ? words.zones(names)
    : names.map((name) => name.replaceAll(' ', NO_BREAK)).join(', ');
}

/** Day and times of the journey, or of the validity in an area. */
function whenOf({ legs, startOfValidity, endOfValidity }: TicketSheet, formats: Formats, day: string): string {
  const [first, last] = [legs[0], legs.at(-1)];
  const [start, end] = first && last ? [first.from.time, last.to.time] : [startOfValidity, endOfValidity];
  if (start === undefined || end === undefined) return day;
  if (formats.longDay(end) === day) return `${day}, ${formats.time(start)}–${formats.time(end)}`;
  return `${formats.weekday(start)} ${formats.time(start)} – ${formats.weekday(end)} ${formats.time(end)}`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function factsOf(sheet: TicketSheet, words: TicketWords, formats: Formats): readonly Fact[] {
  const { price, currency, fareClass, supplements, zones, legs } = sheet;
  const rate = price.taxBasisPoints === undefined ? undefined : formats.percent(price.taxBasisPoints);
  const vat = words.vat(formats.money(price.taxMinor, currency), rate);
  return [
    {
      label: words.product,
      value: sheet.productName,
      ...(fareClass !== undefined && { note: words.fareClasses[fareClass] }),
    },
    ...(supplements.length > 0 ? [{ label: words.supplements, value: supplements.join(', ') }] : []),
    ...(zones && (legs.length > 0 || areMany(zones)) ? [{ label: words.validIn, value: zonesOf(zones, words) }] : []),
    { label: words.validFrom, value: formats.dayAndTime(sheet.startOfValidity) },
    { label: words.validUntil, value: formats.dayAndTime(sheet.endOfValidity) },
    {
      label: words.price,
      value: formats.money(price.amountMinor, currency),
      ...(price.taxMinor !== 0 && { note: vat }),
    },
  ];
}

/** Without a name, the kind of traveller stands in its place. */
function viewTraveller({ name, userType, entitlements }: SheetTraveller): Fact {
  const details = [...(name === undefined ? [] : [userType]), ...entitlements];
  return { label: '', value: name ?? userType, ...(details.length > 0 && { note: details.join(' · ') }) };
}
