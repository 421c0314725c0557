/** The texts of a ticket, for its PDF and its mail. Pure. */
import { type Formats, formatsOf } from '../../shared/pdf/formats.ts';
import type { SheetCall, SheetLeg, SheetTraveller, TicketSheet } from './ticket-sheet.ts';
import { modeName, type TicketWords, ticketWords } from './ticket-words.ts';

export interface TicketView {
  /** `Oslo S – Bergen stasjon`, or the zones. */
  readonly title: string;
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

export interface LegView {
  /** Where it is not the day of the title. */
  readonly day?: string;
  readonly from: CallView;
  readonly to: CallView;
  /** `F6 Oslo S · Tog`. */
  readonly line: string;
  readonly via?: string;
  readonly seats: readonly string[];
}

export interface CallView {
  readonly time: string;
  readonly name: string;
}

export function viewTicket(sheet: TicketSheet): TicketView {
  const words = ticketWords(sheet.language);
  const formats = formatsOf(sheet.language, sheet.timeZone);
  const day = formats.longDay(dayOf(sheet));
  return {
    title: titleOf(sheet, words),
    when: whenOf(sheet, formats, day),
    facts: factsOf(sheet, words, formats),
    travellers: sheet.travellers.map(viewTraveller),
    legs: sheet.legs.map((leg) => viewLeg(leg, words, formats, day)),
    footer: `${words.ticket} ${sheet.ticketId} · ${words.issued(sheet.issuer, formats.dayAndTime(sheet.issuedAt))}`,
  };
}

function dayOf({ legs, startOfValidity }: TicketSheet): Date {
  return legs[0]?.from.time ?? startOfValidity;
}

function titleOf({ legs, zones, productName }: TicketSheet, words: TicketWords): string {
  const [first, last] = [legs[0], legs.at(-1)];
  if (first && last) return `${first.from.name} – ${last.to.name}`;
  return zones === undefined ? productName : zonesOf(zones, words);
}

function zonesOf({ names, allZones }: NonNullable<TicketSheet['zones']>, words: TicketWords): string {
  return allZones || names.length === 0 ? words.allZones : names.join(', ');
}

/** Day and times of the journey; of a ticket for an area, the day from which it is valid. */
function whenOf({ legs }: TicketSheet, formats: Formats, day: string): string {
  const [start, end] = [legs[0]?.from.time, legs.at(-1)?.to.time];
  if (start === undefined || end === undefined) return day;
  const endDay = formats.longDay(end);
  if (endDay === day) return `${day}, ${formats.time(start)}–${formats.time(end)}`;
  return `${day} ${formats.time(start)} – ${endDay} ${formats.time(end)}`;
}

function factsOf(sheet: TicketSheet, words: TicketWords, formats: Formats): readonly Fact[] {
  const { price, currency, fareClass, zones, legs } = sheet;
  const rate = price.taxBasisPoints === undefined ? undefined : formats.percent(price.taxBasisPoints);
  const vat = words.vat(formats.money(price.taxMinor, currency), rate);
  return [
    {
      label: words.product,
      value: sheet.productName,
      ...(fareClass !== undefined && { note: words.fareClasses[fareClass] }),
    },
    ...(zones && legs.length > 0 ? [{ label: words.validIn, value: zonesOf(zones, words) }] : []),
    { label: words.validFrom, value: formats.dayAndTime(sheet.startOfValidity) },
    { label: words.validUntil, value: formats.dayAndTime(sheet.endOfValidity) },
    { label: words.price, value: formats.money(price.amountMinor, currency), note: vat },
  ];
}

/** Without a name, the kind of traveller stands in its place. */
function viewTraveller({ name, userType, entitlements }: SheetTraveller): Fact {
  const details = [...(name === undefined ? [] : [userType]), ...entitlements];
  return { label: '', value: name ?? userType, ...(details.length > 0 && { note: details.join(' · ') }) };
}

function viewLeg(leg: SheetLeg, words: TicketWords, formats: Formats, titleDay: string): LegView {
  const viewCall = ({ name, time }: SheetCall) => ({ name, time: time === undefined ? '' : formats.time(time) });
  const day = leg.from.time === undefined ? titleDay : formats.longDay(leg.from.time);
  const via = leg.via.map((call) => `${call.name} ${viewCall(call).time}`.trim()).join(' · ');
  return {
    ...(day !== titleDay && { day }),
    from: viewCall(leg.from),
    to: viewCall(leg.to),
    line: [leg.line, modeName(words, leg)].filter((part) => part).join(' · '),
    ...(via !== '' && { via: `${words.via} ${via}` }),
    seats: leg.seats.map(
      ({ carriageNumber, seatNumber, traveller }) =>
        `${words.seat(carriageNumber, seatNumber)}${traveller === undefined ? '' : ` (${traveller})`}`,
    ),
  };
}
