/**
 * A ticket as UIC's rail ticket: what inspectors of all railways read. Pure. Caller: the issuer.
 *
 * Days and times are UTC. Days count from the day of issue, for the end of validity too. A value that the module has no room for, as
 * a coach with a letter beyond ASCII, is left out or told in a text: a ticket never fails for it.
 */
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
/** ISO 4217 alone has the right length. */
const CURRENCY = /^[A-Z]{3}$/;

/** How much is told. A symbol that is too large cannot be read from a phone's screen. */
interface Extent {
  readonly names: 'WHOLE' | 'SHORT' | 'HOLDER';
  readonly reservations: 'WITH_STATIONS' | 'WITHOUT_STATIONS' | 'NONE';
}

/** From all that is known to the least that inspectors need. */
const EXTENTS: readonly Extent[] = [
  { names: 'WHOLE', reservations: 'WITH_STATIONS' },
  { names: 'SHORT', reservations: 'WITH_STATIONS' },
  { names: 'SHORT', reservations: 'WITHOUT_STATIONS' },
  { names: 'HOLDER', reservations: 'WITHOUT_STATIONS' },
  { names: 'HOLDER', reservations: 'NONE' },
];
const SHORT_NAME = 16;

type Group = Pick<TicketGroup, 'orderId' | 'currency' | 'distributionHolderCustomerId' | 'holderTravellerId'>;

/** The fullest content that fits: large parties are told with fewer names, many seats without their stations. */
export function fittingTicketOf(
  ticket: Distribution,
  group: Group,
  facts: BarcodeFacts,
  fits: (content: RailTicket) => boolean,
): RailTicket {
  const contents = EXTENTS.map((extent) => () => railTicketOf(ticket, group, facts, extent));
  const fitting = contents.find((make) => fits(make())) ?? contents.at(-1);
  if (!fitting) throw new Error('A ticket has a content');
  return fitting();
}

export function railTicketOf(
  ticket: Distribution,
  group: Group,
  facts: BarcodeFacts,
  extent: Extent = { names: 'WHOLE', reservations: 'WITH_STATIONS' },
): RailTicket {
  const issued = toUicInstant(ticket.issuedAt);
  return {
    issuingDetail: {
      securityProviderNum: facts.issuerCode,
      issuerNum: facts.issuerCode,
      issuingYear: issued.year,
      issuingDay: issued.day,
      issuingTime: issued.minutes,
      ...(facts.issuerName && { issuerName: facts.issuerName }),
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
      { ticket: { openTicket: openTicketOf(ticket, group) } },
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
  const shown = (name: string) => (names === 'WHOLE' ? name : [...name].slice(0, SHORT_NAME).join(''));
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

function openTicketOf(ticket: Distribution, { currency }: Pick<Group, 'currency'>) {
  const {
    id,
    startOfValidity,
    endOfValidity,
    fareClass,
    price,
    issuedAt,
    topology: { fareZones },
    zoneNames = fareZones,
  } = ticket;
  const from = toUicInstant(startOfValidity);
  const until = toUicInstant(endOfValidity);
  return {
    referenceIA5: String(id),
    returnIncluded: false,
    ...stationsOf(ticket),
    ...(fareZones.length > 0 && { validRegionDesc: zoneNames.join(', ') }),
    validFromDay: clamped(dayOffset(issuedAt, startOfValidity), -367, 700),
    validFromTime: from.minutes,
    // The header has the whole end of validity.
    validUntilDay: clamped(dayOffset(issuedAt, endOfValidity), -1, 500),
    validUntilTime: until.minutes,
    ...(fareClass && { classCode: fareClass === 'FIRST' ? ('first' as const) : ('second' as const) }),
    price: priceOf(price.amountMinor, currency),
  };
}

/** The ends of the journey; of a ticket for an area alone none. */
function stationsOf({ legs, topology: { fromStopPlace, toStopPlace } }: Distribution) {
  const calls = legs.flatMap((leg) => leg.calls);
  const [from, to] = [fromStopPlace ?? legs[0]?.fromStopPlaceId, toStopPlace ?? legs.at(-1)?.toStopPlaceId];
  const nameOf = (stopPlaceId: string | undefined) => calls.find((call) => call.stopPlaceId === stopPlaceId)?.name;
  return stationMembers({ from, to, fromName: nameOf(from), toName: nameOf(to) });
}

function clamped(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
