/**
 * A ticket as UIC's rail ticket. Pure. Caller: the issuer.
 *
 * Readers of other railways find all of it, and must know two rules of our contract (decision 0407). Days and times are UTC; the
 * module reads them as local times. Days count from the day of issue, for the end of validity too; the module counts that from the
 * first day of validity. A value that the module has no room for, as
 * a coach with a letter beyond ASCII, is left out or said in a text: a ticket never fails for it.
 */
import { PerError } from '../../barcode/per/per-error.ts';
import { encodeLevel1 } from '../../barcode/signed-barcode.ts';
import { toUicInstant } from '../../barcode/uic/day-of-year.ts';
import type { RailTicket } from '../../barcode/uic/rail-ticket.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { Distribution, TicketGroup, TicketTraveller } from '../../workflows/tickets/rules/ticket-group.ts';
import { dayOffset, PRICE_DIGITS, priceOf, stationMembers } from './barcode-members.ts';
import { reservationsOf } from './barcode-reservations.ts';

/** Names as profiles have them; either may be absent. */
export interface TravellerName {
  readonly firstName?: string;
  readonly surname?: string;
}

export interface BarcodeFacts {
  /** RICS code. */
  readonly issuerCode: number;
  /** The seller. */
  readonly issuerName?: string;
  /** Not for travel. */
  readonly specimen: boolean;
  readonly names: ReadonlyMap<string, TravellerName>;
  readonly language: TextLanguage;
}

const ALPHA2: { readonly [Language in TextLanguage]: string } = { nob: 'nb', nno: 'nn', eng: 'en' };
const COUNTED: { readonly [Language in TextLanguage]: (zones: number) => string } = {
  nob: (zones) => `${zones} soner, se billetten`,
  nno: (zones) => `${zones} soner, sjå billetten`,
  eng: (zones) => `${zones} zones, see the ticket`,
};
/** ISO 4217 alone has the right length. */
const CURRENCY = /^[A-Z]{3}$/;

/** How much the barcode says. A symbol that is too large cannot be read from a phone's screen. */
interface Extent {
  readonly names: 'WHOLE' | 'SHORT' | 'HOLDER';
  readonly reservations: 'WITH_STATIONS' | 'WITHOUT_STATIONS' | 'NONE';
  /** COUNTED: the ticket lists them in print. */
  readonly zones: 'NAMED' | 'COUNTED';
  /** The stations of the journey, and the seller's name. */
  readonly texts: 'WHOLE' | 'SHORT' | 'NONE';
}

const WHOLE: Extent = { names: 'WHOLE', reservations: 'WITH_STATIONS', zones: 'NAMED', texts: 'WHOLE' };
/** From all that is known to what inspectors need of a large party. */
const PARTIES: readonly Extent[] = [
  WHOLE,
  { ...WHOLE, names: 'SHORT' },
  { ...WHOLE, names: 'SHORT', reservations: 'WITHOUT_STATIONS' },
  { ...WHOLE, names: 'HOLDER', reservations: 'WITHOUT_STATIONS' },
  { ...WHOLE, names: 'HOLDER', reservations: 'NONE' },
];
const LEAST: Extent = { names: 'HOLDER', reservations: 'NONE', zones: 'COUNTED', texts: 'NONE' };
/** Many or long zones leave no room for anything else: their number does. The last extents have bounded texts alone. */
const EXTENTS: readonly Extent[] = [
  ...PARTIES,
  ...PARTIES.map((extent) => ({ ...extent, zones: 'COUNTED' as const })),
  { ...LEAST, texts: 'SHORT' },
  LEAST,
];
/** Of what is signed. With the signature a symbol then has some 100 modules a side, half a millimetre each on paper. */
const MOST_OCTETS = 620;
const SHORT_NAME = 16;
/** An id that is cut names another stop, so a longer one is left out of short texts. */
const SHORT_ID = 60;

type Group = Pick<TicketGroup, 'orderId' | 'currency' | 'distributionHolderCustomerId' | 'holderTravellerId'>;

/** No barcode holds the ticket. Trying again does not help. */
export class TicketTooLargeError extends Error {
  constructor(ticketId: number) {
    super(`No barcode has room for ticket ${ticketId}, however little it says`);
    this.name = 'TicketTooLargeError';
  }
}

/** The ticket says what no barcode holds: trying again does not help. */
export function fitsNoBarcode(error: unknown): error is Error {
  return error instanceof TicketTooLargeError || error instanceof PerError;
}

/** What a key signs: the fullest content that makes a symbol of a good size. Throws TicketTooLargeError. */
export function level1Of(ticket: Distribution, group: Group, facts: BarcodeFacts, keyId: number): Buffer {
  const head = { securityProvider: facts.issuerCode, keyId, validUntil: ticket.endOfValidity };
  return encodeFitting(ticket, group, facts, (content) => {
    const level1 = encodeLevel1({ ...head, ticket: content });
    return level1.length <= MOST_OCTETS ? level1 : undefined;
  });
}

/**
 * The fullest content that fits, encoded: of large parties fewer names, of many seats no stations, of many zones their number. `encode`
 * answers undefined for what is too large. Throws TicketTooLargeError, which no ticket of a sold line causes.
 */
export function encodeFitting<Encoded>(
  ticket: Distribution,
  group: Group,
  facts: BarcodeFacts,
  encode: (content: RailTicket) => Encoded | undefined,
): Encoded {
  const hasLongZones = namesOfZones(ticket).length > MOST_OCTETS;
  for (const extent of EXTENTS) {
    // Encoding some 100,000 octets in vain would hold up other tickets.
    if (hasLongZones && extent.zones === 'NAMED') continue;
    const encoded = encode(railTicketOf(ticket, group, facts, extent));
    if (encoded !== undefined) return encoded;
  }
  throw new TicketTooLargeError(ticket.id);
}

export function railTicketOf(
  ticket: Distribution,
  group: Group,
  facts: BarcodeFacts,
  extent: Extent = WHOLE,
): RailTicket {
  const issued = toUicInstant(ticket.issuedAt);
  const issuerName = facts.issuerName && textOf(facts.issuerName, extent);
  return {
    issuingDetail: {
      securityProviderNum: facts.issuerCode,
      issuerNum: facts.issuerCode,
      issuingYear: issued.year,
      issuingDay: issued.day,
      issuingTime: issued.minutes,
      ...(issuerName && { issuerName }),
      specimen: facts.specimen,
      securePaperTicket: false,
      activated: true,
      ...(CURRENCY.test(group.currency) && { currency: group.currency }),
      currencyFract: PRICE_DIGITS,
      issuerPNR: group.orderId,
    },
    travelerDetail: {
      traveler: ticket.travellers.map((traveller, at) =>
        travellerOf(traveller, isHolder(traveller, at, group), facts, extent),
      ),
      preferredLanguage: ALPHA2[facts.language],
    },
    transportDocument: [
      { ticket: { openTicket: openTicketOf(ticket, group, facts, extent) } },
      ...reservationsOf(ticket, extent.reservations).map((reservation) => ({ ticket: { reservation } })),
    ],
  };
}

function travellerOf(
  { customerNumber }: TicketTraveller,
  ticketHolder: boolean,
  facts: BarcodeFacts,
  { names }: Extent,
) {
  const isNamed = ticketHolder || names !== 'HOLDER';
  const { firstName, surname } = (isNamed && customerNumber !== undefined && facts.names.get(customerNumber)) || {};
  const shown = (name: string) => (names === 'WHOLE' ? name : shortened(name));
  return {
    ...(firstName && { firstName: shown(firstName) }),
    ...(surname && { lastName: shown(surname) }),
    ticketHolder,
  };
}

/** Who the tickets were passed on to; else the first traveller. */
function isHolder({ travellerId }: TicketTraveller, at: number, { holderTravellerId }: Group): boolean {
  return holderTravellerId === undefined ? at === 0 : travellerId === holderTravellerId;
}

function openTicketOf(
  ticket: Distribution,
  { currency }: Pick<Group, 'currency'>,
  { language }: BarcodeFacts,
  extent: Extent,
) {
  const {
    id,
    startOfValidity,
    endOfValidity,
    fareClass,
    price,
    issuedAt,
    topology: { fareZones },
  } = ticket;
  const from = toUicInstant(startOfValidity);
  const until = toUicInstant(endOfValidity);
  return {
    referenceIA5: String(id),
    returnIncluded: false,
    ...stationsOf(ticket, extent),
    ...(fareZones.length > 0 && {
      validRegionDesc: extent.zones === 'NAMED' ? namesOfZones(ticket) : COUNTED[language](fareZones.length),
    }),
    validFromDay: clamped(dayOffset(issuedAt, startOfValidity), -367, 700),
    validFromTime: from.minutes,
    // The header has the whole end of validity.
    validUntilDay: clamped(dayOffset(issuedAt, endOfValidity), -1, 500),
    validUntilTime: until.minutes,
    ...(fareClass && { classCode: fareClass === 'FIRST' ? ('first' as const) : ('second' as const) }),
    price: priceOf(price.amountMinor, currency),
  };
}

function namesOfZones({ zoneNames, topology: { fareZones } }: Distribution): string {
  return (zoneNames ?? fareZones).join(', ');
}

/** The ends of the journey; of a ticket for an area alone none. */
function stationsOf({ legs, topology: { fromStopPlace, toStopPlace } }: Distribution, extent: Extent) {
  const calls = legs.flatMap((leg) => leg.calls);
  const ends = [fromStopPlace ?? legs[0]?.fromStopPlaceId, toStopPlace ?? legs.at(-1)?.toStopPlaceId];
  const [fromName, toName] = ends.map((end) => {
    const name = calls.find((call) => call.stopPlaceId === end)?.name;
    return name === undefined ? undefined : textOf(name, extent);
  });
  const [from, to] = ends.map((end) => (end === undefined ? undefined : idOf(end, extent)));
  return stationMembers({ from, to, fromName, toName });
}

function textOf(text: string, { texts }: Extent): string | undefined {
  if (texts === 'NONE') return undefined;
  return texts === 'WHOLE' ? text : shortened(text);
}

function idOf(id: string, { texts }: Extent): string | undefined {
  if (texts === 'NONE') return undefined;
  return texts === 'WHOLE' || id.length <= SHORT_ID ? id : undefined;
}

function shortened(text: string): string {
  return [...text].slice(0, SHORT_NAME).join('');
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
