/** Sends queries to the journey planner, for the tools of this folder and the demo story. */
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;
const READY_MS = 60_000;
const SNAPSHOT = '{ serverInfo { otpSerializationVersionId } }';

/** Waits for the first snapshot, or for the one with the given id. */
export async function untilPlannerAnswers(url: string, signal?: AbortSignal, snapshotId?: string): Promise<void> {
  const until = Date.now() + READY_MS;
  for (;;) {
    if (await isServing(url, snapshotId)) return;
    if (Date.now() > until) throw new Error(`The journey planner has no timetable after ${READY_MS / 1000} s`);
    await delay(POLL_MS, undefined, signal ? { signal } : {});
  }
}

/** Uses a query, because the planner's health and metrics may be unreachable behind a base URL. */
async function isServing(url: string, snapshotId: string | undefined): Promise<boolean> {
  try {
    const { serverInfo } = await queryPlanner<{ serverInfo: { otpSerializationVersionId: string } }>(url, SNAPSHOT);
    return snapshotId === undefined || serverInfo.otpSerializationVersionId === snapshotId;
  } catch {
    return false;
  }
}

/** Throws the planner's error message if the query fails. */
export async function queryPlanner<Data>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const answer = await fetch(`${url}/journey-planner/v3/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-client-name': 'samferd-demo' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data?: Data; errors?: readonly { message: string }[] };
  if (errors?.[0] || data === undefined) {
    throw new Error(`The journey planner answers ${answer.status}: ${errors?.[0]?.message ?? 'nothing'}`);
  }
  return data;
}

interface Place {
  readonly id: string;
  readonly name: string;
}

/** The patterns of a search, with the places it was made for. */
export interface SearchedJourney {
  readonly from: Place;
  readonly to: Place;
  readonly patterns: readonly {
    readonly expectedStartTime: string;
    readonly expectedEndTime: string;
    readonly legs: readonly { readonly mode: string; readonly line: { readonly publicCode: string } | null }[];
  }[];
}

const LINES = '{ lines { journeyPatterns { quays { stopPlace { id name } } } } }';
const TRIP = `query ($from: String!, $to: String!, $at: DateTime!) {
  trip(from: { place: $from }, to: { place: $to }, dateTime: $at, numTripPatterns: 3) {
    tripPatterns { expectedStartTime expectedEndTime legs { mode line { publicCode } } }
  }
}`;

/** Searches a journey between two stop places of the timetable, from the instant `at`. */
export async function searchJourney(url: string, at: Date): Promise<SearchedJourney> {
  const { lines } = await queryPlanner<{
    lines: readonly { journeyPatterns: readonly { quays: readonly { stopPlace: Place | null }[] }[] }[];
  }>(url, LINES);
  const ends = lines.flatMap(({ journeyPatterns }) =>
    journeyPatterns.flatMap(({ quays }) => {
      const [from, to] = [quays[0]?.stopPlace, quays.at(-1)?.stopPlace];
      return from && to && from.id !== to.id ? [{ from, to }] : [];
    }),
  );
  const [first] = ends;
  if (!first) throw new Error('The journey planner knows no line with two stop places');
  // Choose ends of different lines, so that the journey needs a transfer.
  const places = { from: first.from, to: ends[Math.floor(ends.length / 2)]?.to ?? first.to };
  const { trip } = await queryPlanner<{ trip: { tripPatterns: SearchedJourney['patterns'] } }>(url, TRIP, {
    from: places.from.id,
    to: places.to.id,
    at: at.toISOString(),
  });
  return { ...places, patterns: trip.tripPatterns };
}
