/** Two departures of one journey, for the chapter on a sale. Caller: sales-story.ts. */
import { type Caller, read } from './partner-client.ts';
import { queryPlanner, searchJourney } from './planner-client.ts';
import { addDays, todayInOslo } from './service-days.ts';
import { StoryError, say } from './story.ts';
import { type PlannedTrips, ridesOf, type SearchedPattern, searchedPatterns, TRIP_PATTERNS } from './trip-patterns.ts';

export interface Seller extends Caller {
  readonly plannerUrl: string;
}

interface Place {
  readonly id: string;
  readonly name: string;
}

const LINES = `query ($ids: [ID!]) { lines(ids: $ids) { journeyPatterns { quays { stopPlace { id name } } } } }`;

/** Two departures of tomorrow, on a line whose seats are reserved where there is one. */
export async function findTrips({
  plannerUrl,
  ...caller
}: Seller): Promise<readonly [SearchedPattern, SearchedPattern]> {
  const tomorrow = addDays(todayInOslo(new Date()), 1);
  const { from, to } =
    (await seatedEnds(plannerUrl, caller, tomorrow)) ?? (await searchJourney(plannerUrl, new Date()));
  const variables = { from: from.id, to: to.id, at: `${tomorrow}T08:00:00+01:00`, count: 5 };
  const trips = await queryPlanner<PlannedTrips>(plannerUrl, TRIP_PATTERNS, variables);
  const patterns = searchedPatterns(trips).filter((pattern) => ridesOf(pattern).length > 0);
  const [first, second = first] = patterns;
  if (!first || !second) throw new StoryError(`No journey from ${from.name} to ${to.name} tomorrow`, 'Try again.');
  say(
    `A journey to buy, from ${from.name} to ${to.name}`,
    ...ridesOf(first).map(({ mode, expectedStartTime, lineId }) => `${expectedStartTime} ${mode} ${lineId}`),
  );
  return [first, second];
}

async function seatedEnds(plannerUrl: string, caller: Caller, date: string) {
  const catalogue = await read<{
    trains: readonly { readonly seatReservation: string; readonly lineIds?: readonly string[] }[];
  }>(caller, `/v1/catalogue?travelDate=${date}&perPage=1`);
  const ids = catalogue.trains.flatMap(({ seatReservation, lineIds = [] }) =>
    seatReservation === 'COMPULSORY' ? lineIds : [],
  );
  const { lines } = await queryPlanner<{
    lines: readonly ({ journeyPatterns: readonly { quays: readonly { stopPlace: Place | null }[] }[] } | null)[];
  }>(plannerUrl, LINES, { ids });
  for (const { quays } of lines.flatMap((line) => line?.journeyPatterns ?? [])) {
    const [from, to] = [quays[0]?.stopPlace, quays.at(-1)?.stopPlace];
    if (from && to && from.id !== to.id) return { from, to };
  }
  return undefined;
}
