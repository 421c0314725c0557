/** A run of a journey as areas of sales read it. Pure. */
import type { DatedJourney, JourneyCall } from '../../shared/timetable.ts';
import type { PatternRow } from '../planner-journey-rows.ts';
import type { LineRow, StopPlaceRow } from '../planner-place-rows.ts';
import { idOf, isCancelled, type JourneyRun } from './journey-runs.ts';
import { dateOf, runStartMs } from './service-days.ts';

export interface JourneyContext {
  readonly pattern: PatternRow;
  readonly line: LineRow | undefined;
  readonly stopPlaces: ReadonlyMap<string, StopPlaceRow>;
}

export function datedJourneyOf(run: JourneyRun, context: JourneyContext): DatedJourney {
  const { journey, day } = run;
  const { pattern, line } = context;
  return {
    datedServiceJourneyId: idOf(run),
    serviceJourneyId: journey.id,
    ...(journey.privateCode !== undefined && { privateCode: journey.privateCode }),
    serviceDay: dateOf(day),
    isCancelled: isCancelled(run),
    lineId: journey.lineId,
    ...(line?.name !== undefined && { lineName: line.name }),
    ...(line?.publicCode !== undefined && { linePublicCode: line.publicCode }),
    mode: journey.mode,
    authorityId: pattern.authorityId,
    ...(journey.operatorId !== undefined && { operatorId: journey.operatorId }),
    calls: callsOf(run, context),
  };
}

function callsOf({ journey, trip, day }: JourneyRun, { pattern, stopPlaces }: JourneyContext): readonly JourneyCall[] {
  const { arrivals = [], departures = [] } = journey.trips[trip] ?? {};
  const startMs = runStartMs(pattern.timeZone, day, departures[0] ?? 0);
  const last = pattern.quayIds.length - 1;
  return pattern.quayIds.map((quayId, position) => {
    const stopPlaceId = pattern.stopPlaceIds[position] as string;
    const place = stopPlaces.get(stopPlaceId);
    return {
      position,
      quayId,
      stopPlaceId,
      ...(place?.parentId !== undefined && { parentStopPlaceId: place.parentId }),
      stopName: place?.name ?? '',
      ...(position > 0 && { arrival: new Date(startMs + (arrivals[position] as number) * 1_000) }),
      ...(position < last && { departure: new Date(startMs + (departures[position] as number) * 1_000) }),
      forBoarding: !pattern.noBoarding.includes(position),
      forAlighting: !pattern.noAlighting.includes(position),
      zoneIds: pattern.zoneIds[position] ?? [],
      distanceMetres: pattern.distances[position] as number,
    };
  });
}
