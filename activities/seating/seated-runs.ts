/**
 * The run of a journey that seats are sold for, with its calls as the timetable has them now. A newer timetable may give
 * a run another id, or add a call: seats that are sold stay sold on their way between the same stops.
 */
import { createHash } from 'node:crypto';
import type { SeatRequest, Stretch } from '../shared/seating.ts';
import { type DatedJourney, datedJourneyId, findRideCalls, type TimetableReader } from '../shared/timetable.ts';

export interface SeatedRun {
  /** The same whichever id the timetable gives the run. */
  readonly runId: string;
  /** Stop places by position; none where the timetable does not have the journey. */
  readonly stops: readonly string[];
  /** Of `stops`; empty without any. */
  readonly callsHash: string;
}

/** Seats are counted and held on runs of the timetable alone: a stretch of no known stops might be sold twice. */
export function isKnown({ stops }: SeatedRun): boolean {
  return stops.length > 0;
}

export interface RunRequest extends SeatRequest {
  readonly run: SeatedRun;
}

/** Departure of a frequency journey, at the end of its id. */
const DEPARTURE = /@\d{1,7}$/;

export async function findRun(
  timetable: Pick<TimetableReader, 'findDatedJourney'>,
  datedServiceJourneyId: string,
): Promise<{ readonly run: SeatedRun; readonly journey?: DatedJourney }> {
  const journey = await timetable.findDatedJourney(datedServiceJourneyId);
  return journey
    ? { run: runOf(journey), journey }
    : { run: { runId: datedServiceJourneyId, stops: [], callsHash: '' } };
}

export function runOf({ datedServiceJourneyId, serviceJourneyId, serviceDay, calls }: DatedJourney): SeatedRun {
  const runId = `${datedJourneyId(serviceJourneyId, serviceDay)}${DEPARTURE.exec(datedServiceJourneyId)?.[0] ?? ''}`;
  const stops = calls.map(({ stopPlaceId }) => stopPlaceId);
  return { runId, stops, callsHash: createHash('sha256').update(stops.join('\n')).digest('base64url').slice(0, 22) };
}

/** With positions in the run as it is now, and the places where it calls. */
export async function withRuns(
  timetable: Pick<TimetableReader, 'findDatedJourney'>,
  requests: readonly SeatRequest[],
): Promise<readonly RunRequest[]> {
  return await Promise.all(
    requests.map(async (request) => {
      const { run, journey } = await findRun(timetable, request.stretch.datedServiceJourneyId);
      return { ...request, run, stretch: journey ? stretchNow(request.stretch, journey) : request.stretch };
    }),
  );
}

/** As it was given where the journey does not call there any more. */
function stretchNow(stretch: Stretch, journey: DatedJourney): Stretch {
  const ride = findRideCalls(journey, stretch);
  return ride ? { ...stretch, fromPosition: ride.from.position, toPosition: ride.to.position } : stretch;
}
