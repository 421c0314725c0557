/** A case of offers, as written in YAML, and the search that it stands for. Callers: offers.test.ts. */
import { z } from 'zod';
import type {
  Ride,
  SellingChannel,
  WantedTravel,
  WantingTraveller,
} from '../../../workflows/offers/rules/wanted-travel.ts';
import { localDateOf, startOfDay } from '../../../workflows/shared/local-time.ts';

export const OSLO = 'Europe/Oslo';
export const NOW = at('2026-11-23 08:00');
export const CHANNEL: SellingChannel = { organisationIds: [1], currency: 'NOK' };

const line = { line: z.string(), authority: z.string(), mode: z.string(), km: z.number() };
const ride = z.strictObject({
  ...line,
  calls: z.array(z.string()).min(2),
  day: z.string().optional(),
  train: z.enum(['COMPULSORY', 'OPTIONAL']).optional(),
  cancelled: z.literal(true).optional(),
  /** Minutes. */
  late: z.number().optional(),
});
const offerCase = z.strictObject({
  about: z.string(),
  products: z.array(z.string()),
  travellers: z.array(z.string()),
  rides: z.array(ride).optional(),
  places: z
    .strictObject({
      from: z.string(),
      to: z.string(),
      lines: z.array(z.strictObject({ ...line, zones: z.array(z.string()) })),
    })
    .optional(),
  zones: z.array(z.string()).optional(),
  authority: z.string().optional(),
  at: z.string().optional(),
  offers: z.array(z.string()),
  valid: z.record(z.string(), z.string()).optional(),
  supplements: z.record(z.string(), z.array(z.string())).optional(),
  unavailable: z.array(z.string()).optional(),
  recommended: z.array(z.string()).optional(),
});
export const offerCases = z.array(offerCase);
export type OfferCase = z.infer<typeof offerCase>;

/** `2026-11-23 08:00` on the clock of Oslo. */
export function at(text: string): Date {
  const [day = '', time = '00:00'] = text.split(' ');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(startOfDay(day, OSLO).getTime() + (hours * 60 + minutes) * 60_000);
}

/** `ADULT with STUDENT_CARD wants DAY GROUP` */
export function travellerOf(text: string, index: number): WantingTraveller {
  const [typeAndCards = '', wanted = ''] = text.split(' wants ');
  const [userTypeId = '', cards = ''] = typeAndCards.split(' with ');
  const list = (words: string) => words.split(' ').filter((word) => word !== '');
  return { id: `t${index + 1}`, userTypeId, entitlementIds: list(cards), productIds: list(wanted) };
}

export function travelOf(one: OfferCase): WantedTravel {
  const startsAt = at(one.at ?? '2026-11-23 08:00');
  if (one.rides) return { kind: 'RIDES', rides: one.rides.map(rideOf) };
  if (one.zones) return { kind: 'ZONES', zoneIds: one.zones, startsAt };
  if (one.authority) return { kind: 'AUTHORITY', authorityId: one.authority, startsAt };
  if (!one.places) throw new Error(`${one.about}: the case searches for nothing`);
  const [from, to] = [placeOf(one.places.from), placeOf(one.places.to)];
  return {
    kind: 'STOP_PLACES',
    fromStopPlaceId: from.stop,
    toStopPlaceId: to.stop,
    endZones: [from.zones, to.zones],
    connections: one.places.lines.map((each) => ({
      ...{ lineId: each.line, authorityId: each.authority, mode: each.mode },
      ...{ distanceMetres: each.km * 1_000, zoneIds: each.zones },
    })),
    startsAt,
  };
}

/** `A z1` */
function placeOf(text: string) {
  const [stop = '', zones = ''] = text.split(' ');
  return { stop, zones: zones === '' ? [] : zones.split('/') };
}

/** Calls are `A 10:00 z1/z2`. */
function rideOf(given: z.infer<typeof ride>, index: number): Ride {
  const day = given.day ?? localDateOf(NOW, OSLO);
  const calls = given.calls.map((text) => {
    const [stop = '', time = '', zones = ''] = text.split(' ');
    return { stop, time: at(`${day} ${time}`), zones: zones === '' ? [] : zones.split('/') };
  });
  const [first, last] = [calls[0], calls.at(-1)];
  const expected = (time: Date) => new Date(time.getTime() + (given.late ?? 0) * 60_000);
  if (!first || !last) throw new Error('A ride has two calls at least');
  return {
    legId: `leg-${index + 1}`,
    ...{ mode: given.mode, lineId: given.line, authorityId: given.authority },
    ...{ fromStopPlaceId: first.stop, toStopPlaceId: last.stop },
    ...{ expectedStartTime: expected(first.time), expectedEndTime: expected(last.time), plannedStart: first.time },
    ...{ fromPlaceIds: [first.stop], toPlaceIds: [last.stop] },
    ...{ serviceJourneyId: `${given.line}-1`, datedServiceJourneyId: `${given.line}-1@${day}`, serviceDay: day },
    ...{ distanceMetres: Math.round(given.km * 1_000), fromPosition: 0, toPosition: calls.length - 1 },
    calls: calls.map(({ stop }) => ({ stopPlaceId: stop, name: stop })),
    callZones: calls.map(({ zones }) => zones),
    isCancelled: given.cancelled ?? false,
    ...(given.train && { train: { seatPlanId: 'plan', seatReservation: given.train } }),
  };
}
