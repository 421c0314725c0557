/** Finds the places, zones and authorities of a search in the timetable, and the instant at which the ticket is to begin. */
import type { WantedTravel } from '../../workflows/offers/rules/wanted-travel.ts';
import { localDateOf, startOfDay } from '../../workflows/shared/local-time.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import type { NamedPlace, TimetableReader } from '../shared/timetable.ts';
import type { ResolvedTravel } from './rides-of-legs.ts';
import { fault } from './search-faults.ts';
import type { GivenTravel } from './wanted-search.ts';

type GivenWithoutLegs = Exclude<GivenTravel, { readonly kind: 'TRIP_PATTERN' }>;

export interface SearchTime {
  readonly now: Date;
  readonly timeZone: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Callers' clocks differ, and a request takes its time: a start that has just passed is now. */
const JUST_PASSED_MS = 5 * 60_000;

export async function resolveWithoutLegs(
  given: GivenWithoutLegs,
  time: SearchTime,
  timetable: TimetableReader,
): Promise<ResolvedTravel> {
  const startsAt = startOf(given.travelDate, time);
  switch (given.kind) {
    case 'STOP_PLACES':
      return await resolveStopPlaces(given, startsAt, timetable);
    case 'ZONES': {
      const known = idsOf(await timetable.listFareZones());
      const faults = given.zones.flatMap((id, at) => (known.has(id) ? [] : [unknown(`/zones/${at}`, 'fare zone')]));
      return resolved({ kind: 'ZONES', zoneIds: given.zones, startsAt }, faults);
    }
    case 'AUTHORITY': {
      const isKnown = idsOf(await timetable.listAuthorities()).has(given.authority);
      const faults = isKnown ? [] : [unknown('/authority', 'authority')];
      return resolved({ kind: 'AUTHORITY', authorityId: given.authority, startsAt }, faults);
    }
  }
}

/** The search names a day to come, and no time of it. */
export function startsAtMidnight({ travelDate }: GivenWithoutLegs, { now, timeZone }: SearchTime): boolean {
  return DAY.test(travelDate) && travelDate !== localDateOf(now, timeZone);
}

/** A day begins at midnight on the clock of the catalogue; today begins now. */
function startOf(travelDate: string, { now, timeZone }: SearchTime): Date {
  if (DAY.test(travelDate)) {
    return travelDate === localDateOf(now, timeZone) ? now : startOfDay(travelDate, timeZone);
  }
  const instant = new Date(travelDate);
  const passedMs = now.getTime() - instant.getTime();
  return passedMs > 0 && passedMs <= JUST_PASSED_MS ? now : instant;
}

async function resolveStopPlaces(
  { from, to }: GivenTravel & { readonly kind: 'STOP_PLACES' },
  startsAt: Date,
  timetable: TimetableReader,
): Promise<ResolvedTravel> {
  const places = await timetable.findStopPlaces([from, to]);
  const zonesOf = (id: string) => places.find((place) => place.id === id)?.zoneIds;
  const [fromZones, toZones] = [zonesOf(from), zonesOf(to)];
  if (!fromZones || !toZones || from === to) {
    return {
      faults: [
        ...(fromZones ? [] : [unknown('/from', 'stop place')]),
        ...(toZones ? [] : [unknown('/to', 'stop place')]),
        ...(from === to && fromZones ? [fault('/to', 'DUPLICATE', 'is the place of the start')] : []),
      ],
    };
  }
  const connections = await timetable.findConnections(from, to);
  const ends = { fromStopPlaceId: from, toStopPlaceId: to, endZones: [fromZones, toZones] };
  return resolved({ kind: 'STOP_PLACES', ...ends, connections, startsAt }, []);
}

function resolved(travel: WantedTravel, faults: readonly ErrorItem[]): ResolvedTravel {
  return faults.length > 0 ? { faults } : { travel, faults: [] };
}

function idsOf(places: readonly NamedPlace[]): ReadonlySet<string> {
  return new Set(places.map(({ id }) => id));
}

function unknown(pointer: string, what: string): ErrorItem {
  return fault(pointer, 'UNKNOWN_REFERENCE', `is no ${what} of the timetable`);
}
