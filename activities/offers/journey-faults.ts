/** Says why a leg of a search is no ride: the journey is unknown, or does not serve its places in that order. */
import { localDateOf } from '../../workflows/shared/local-time.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { DAY_MS } from '../../workflows/shared/spans.ts';
import type { Fares } from '../shared/fares.ts';
import { type DatedJourney, datedJourneyId, placeIdsOf, type TimetableReader } from '../shared/timetable.ts';
import { fault } from './search-faults.ts';
import type { LegRequest } from './wanted-search.ts';

/** Called for a leg that the timetable has no ride for. */
export async function faultOfJourney(
  request: LegRequest,
  { timeZone }: Pick<Fares, 'timeZone'>,
  timetable: Pick<TimetableReader, 'findDatedJourney'>,
): Promise<ErrorItem> {
  const { pointer, serviceJourneyId } = request;
  const journey = await findNamed(request, timeZone, timetable);
  const ofPlaces = journey && faultOfPlaces(request, journey);
  if (ofPlaces) return ofPlaces;
  const member = serviceJourneyId ? 'serviceJourneyId' : 'datedServiceJourneyId';
  const detail = 'names no journey that runs between these places at this time';
  return fault(`${pointer}/${member}`, 'UNKNOWN_REFERENCE', detail);
}

/** A night journey runs on the service day before. */
async function findNamed(
  { datedServiceJourneyId, serviceJourneyId, departure }: LegRequest,
  timeZone: string,
  timetable: Pick<TimetableReader, 'findDatedJourney'>,
): Promise<DatedJourney | undefined> {
  const days = [departure, new Date(departure.getTime() - DAY_MS)].map((each) => localDateOf(each, timeZone));
  const ofDays = serviceJourneyId === undefined ? [] : days.map((day) => datedJourneyId(serviceJourneyId, day));
  for (const id of datedServiceJourneyId === undefined ? ofDays : [datedServiceJourneyId]) {
    const found = await timetable.findDatedJourney(id);
    const isMeant = serviceJourneyId === undefined || found?.serviceJourneyId === serviceJourneyId;
    if (found && isMeant) return found;
  }
  return undefined;
}

function faultOfPlaces(
  { pointer, fromStopPlaceId, toStopPlaceId }: LegRequest,
  { calls }: DatedJourney,
): ErrorItem | undefined {
  const positionsOf = (id: string) =>
    calls.filter((call) => placeIdsOf(call).includes(id)).map((call) => call.position);
  const [from, to] = [positionsOf(fromStopPlaceId), positionsOf(toStopPlaceId)];
  const notServed = 'is no place where the journey calls';
  if (from.length === 0) return fault(`${pointer}/fromStopPlaceId`, 'NOT_SERVED', notServed);
  if (to.length === 0) return fault(`${pointer}/toStopPlaceId`, 'NOT_SERVED', notServed);
  if (Math.max(...to) > Math.min(...from)) return undefined;
  return fault(`${pointer}/toStopPlaceId`, 'WRONG_ORDER', 'is not served after `fromStopPlaceId` by the journey');
}
