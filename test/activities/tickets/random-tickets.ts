/** Random tickets that are issued and valid at the edges of years, with Norwegian letters and missing names. */
import type { BarcodeFacts, TravellerName } from '../../../activities/tickets/barcode-content.ts';
import type { SoldLeg } from '../../../workflows/offers/rules/offer.ts';
import type { Accommodation } from '../../../workflows/shared/fares.ts';
import type { CustomerNumber, TicketDistributionId, TravellerId } from '../../../workflows/shared/ids.ts';
import type { Distribution, TicketSeat, TicketTraveller } from '../../../workflows/tickets/rules/ticket-group.ts';
import { sampleTraveller } from '../../support/sample-orders.ts';
import { groupOf, soldOrder, theTicket } from '../../support/sample-tickets.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

const NAMES: readonly (TravellerName | undefined)[] = [
  { firstName: 'Kåre', surname: 'Ødegård' },
  { firstName: 'Čáŋa', surname: 'Åsgård-Bærøe' },
  { surname: 'Æsop' },
  { firstName: 'Sigrid' },
  {},
  undefined,
];
const STOPS = ['Oslo S', 'Bodø', 'Ål', 'Dombås', 'Ås stasjon', 'Göteborg C'];

/** Days at whose ends an offset may be wrong: New Year, leap days, and the days beside them. */
const EDGES = [
  '2026-12-31',
  '2027-01-01',
  '2027-12-31',
  '2028-02-28',
  '2028-02-29',
  '2028-03-01',
  '2028-12-31',
  '2032-02-29',
];

export function legOf(at: number, start: Date, random: (limit: number) => number): SoldLeg {
  const [from, to] = [random(STOPS.length), random(STOPS.length)];
  const ids = [from, to].map((stop) => `NSR:StopPlace:${100 + stop}`) as [string, string];
  return {
    ...{ legId: `leg-${at}`, mode: 'rail', fromStopPlaceId: ids[0], toStopPlaceId: ids[1] },
    ...{ expectedStartTime: start, expectedEndTime: new Date(start.getTime() + 90 * MINUTE_MS) },
    ...{ lineId: 'RUT:Line:1', authorityId: 'RUT:Authority:1', serviceJourneyId: 'RUT:ServiceJourney:1' },
    ...{ datedServiceJourneyId: `RUT:ServiceJourney:${at}@day`, serviceDay: '2026-05-05', distanceMetres: 1_000 },
    ...{ fromPosition: 0, toPosition: 1, ...(random(2) === 0 && { serviceJourneyPrivateCode: String(random(1_000)) }) },
    calls: [from, to].map((stop, end) => ({ stopPlaceId: ids[end] as string, name: STOPS[stop] as string })),
  };
}

const ACCOMMODATIONS: readonly Accommodation[] = ['SEATING', 'COUCHETTE', 'SLEEPER'];

/** A seat, a couchette or a berth. */
export function seatOf(travellerId: TravellerId, legId: string, random: (limit: number) => number): TicketSeat {
  const fareClass = random(2) === 0 ? 'FIRST' : 'STANDARD';
  return {
    ...{ legId, travellerId, carriageNumber: ['1', '23', 'Å'][random(3)] as string },
    seatNumber: ['7', '254', '255', '12A', '4Ø'][random(5)] as string,
    seatingProperties: {
      fareClass,
      accommodationFacility: ACCOMMODATIONS[random(ACCOMMODATIONS.length)] ?? 'SEATING',
      facilities: [],
    },
  };
}

/** A whole compartment: the places of a party, side by side in one carriage. */
export function compartmentOf(
  travellers: readonly TicketTraveller[],
  legId: string,
  random: (limit: number) => number,
): readonly TicketSeat[] {
  const [{ carriageNumber, seatingProperties }, first] = [seatOf(sampleTraveller().id, legId, random), 1 + random(250)];
  return travellers.map(({ travellerId }, at) => ({
    ...{ legId, travellerId, carriageNumber, seatNumber: String(first + at), seatingProperties },
  }));
}

/** A ticket that is issued and valid at the edges of years. */
export function randomTicket(random: (limit: number) => number): {
  readonly ticket: Distribution;
  readonly facts: BarcodeFacts;
} {
  const [from, to] = [new Date(`${EDGES[random(EDGES.length)]}T00:00:00Z`), random(3)];
  const issuedAt = new Date(from.getTime() + random(2_880) * MINUTE_MS + random(60_000));
  const startOfValidity = new Date(issuedAt.getTime() + (random(40) - 3) * DAY_MS + random(1_440) * MINUTE_MS);
  const endOfValidity = new Date(startOfValidity.getTime() + (to === 0 ? 365 * DAY_MS : random(3 * 1_440) * MINUTE_MS));
  const travellers = Array.from({ length: 1 + random(9) }, (_, at) => ({
    travellerId: sampleTraveller().id,
    ...(random(4) > 0 && { customerNumber: `100000000${at}` as CustomerNumber }),
    userTypeId: 'ADULT',
  }));
  const legs = Array.from({ length: random(4) }, (_, at) =>
    legOf(at, new Date(startOfValidity.getTime() + at * 3_600_000), random),
  );
  const seats = legs.flatMap(({ legId }) =>
    random(4) === 0
      ? compartmentOf(travellers, legId, random)
      : travellers.slice(0, random(4)).map(({ travellerId }) => seatOf(travellerId, legId, random)),
  );
  const named = travellers.flatMap(({ customerNumber }) => {
    const name = NAMES[random(NAMES.length)];
    return customerNumber && name ? [[customerNumber, name] as const] : [];
  });
  const ticket: Distribution = {
    ...theTicket(groupOf(soldOrder())),
    ...{
      id: (1 + random(2 ** 31)) as TicketDistributionId,
      issuedAt,
      startOfValidity,
      endOfValidity,
      travellers,
      legs,
    },
    ...{ seatReservations: seats, price: { amountMinor: random(1_000_000), taxMinor: 0 } },
    topology: { fareZones: random(2) === 0 ? ['RUT:FareZone:1', 'RUT:FareZone:2'] : [] },
    ...(random(2) === 0 && { fareClass: 'FIRST' as const }),
  };
  const language = (['nob', 'nno', 'eng'] as const)[random(3)] ?? 'nob';
  return {
    ticket,
    facts: {
      issuerCode: 9_901,
      issuerName: 'Tågföretaget',
      specimen: random(2) === 0,
      names: new Map(named),
      language,
    },
  };
}
