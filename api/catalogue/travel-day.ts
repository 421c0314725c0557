/** What one can travel on a service day, beside the catalogue: places of the timetable, and a page of the day's journeys. */
import { type Fares, type TrainIndex, trainOf } from '../../activities/shared/fares.ts';
import type {
  DatedJourney,
  FirstJourneys,
  JourneyCall,
  NamedPlace,
  TimetableReader,
} from '../../activities/shared/timetable.ts';

export type TravelDay = Pick<
  TimetableReader,
  'listStopPlaces' | 'listFareZones' | 'listAuthorities' | 'listDatedJourneys'
>;

const DEFAULT_PAGE = { page: 1, perPage: 25 };

export async function readDay(
  timetable: TravelDay,
  { trains }: Pick<Fares, 'trains'>,
  travelDate: string,
  { page = DEFAULT_PAGE.page, perPage = DEFAULT_PAGE.perPage }: { readonly page?: number; readonly perPage?: number },
) {
  // They are the same on every page, and the stop places of a country are many.
  const isFirst = page === DEFAULT_PAGE.page;
  const [stopPlaces, fareZones, authorities, journeys] = await Promise.all([
    isFirst ? timetable.listStopPlaces() : [],
    isFirst ? timetable.listFareZones() : [],
    isFirst ? timetable.listAuthorities() : [],
    timetable.listDatedJourneys(travelDate, page, perPage, seatedJourneys(trains)),
  ]);
  const { items, totalItems } = journeys;
  return {
    stopPlaces: stopPlaces.map(presentPlace),
    fareZones: fareZones.map(presentPlace),
    authorities: authorities.map(presentPlace),
    datedServiceJourneys: items.map((journey) => presentJourney(journey, trains)),
    ...{ page, perPage, totalItems },
    totalPages: Math.ceil(totalItems / perPage),
  };
}

/** Few journeys have seats, and callers look for them. */
function seatedJourneys({ byLine, byServiceJourney, byDatedJourney }: TrainIndex): FirstJourneys {
  return { lineIds: byLine, serviceJourneyIds: byServiceJourney, datedServiceJourneyIds: byDatedJourney };
}

function presentPlace({ id, name }: NamedPlace) {
  return { id, name };
}

function presentJourney(journey: DatedJourney, trains: TrainIndex) {
  const { datedServiceJourneyId, serviceJourneyId, lineId, mode, calls } = journey;
  const seatReservation = trainOf({ trains }, journey)?.seatReservation ?? ('NONE' as const);
  return { datedServiceJourneyId, serviceJourneyId, lineId, mode, seatReservation, calls: calls.map(presentCall) };
}

function presentCall({ stopPlaceId, arrival, departure }: JourneyCall) {
  return { stopPlaceId, arrival: arrival?.toISOString(), departure: departure?.toISOString() };
}
