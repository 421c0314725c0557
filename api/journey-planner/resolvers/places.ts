/**
 * Shared parts of the queries for places by box, radius and distance. `multiModalMode` decides which stop places they
 * return: parents in place of their children, children alone, or all.
 */
import type { Box } from '../../../planner/geo/geo-types.ts';
import type { StopIndex, StopPlaceIndex } from '../../../planner/model/indices.ts';
import { checkLatitude, checkLongitude } from './position.ts';
import type { RequestContext } from './request-context.ts';
import { badInput } from './user-input.ts';

export type MultiModalMode = 'parent' | 'child' | 'all';

export interface BoxArgs {
  readonly minimumLatitude?: number | null;
  readonly minimumLongitude?: number | null;
  readonly maximumLatitude?: number | null;
  readonly maximumLongitude?: number | null;
}

export function boxOf(args: BoxArgs): Box {
  const { minimumLatitude, minimumLongitude, maximumLatitude, maximumLongitude } = args;
  if (
    typeof minimumLatitude !== 'number' ||
    typeof minimumLongitude !== 'number' ||
    typeof maximumLatitude !== 'number' ||
    typeof maximumLongitude !== 'number'
  ) {
    throw badInput('A box needs minimumLatitude, minimumLongitude, maximumLatitude and maximumLongitude.');
  }
  checkLatitude('minimumLatitude', minimumLatitude);
  checkLatitude('maximumLatitude', maximumLatitude);
  checkLongitude('minimumLongitude', minimumLongitude);
  checkLongitude('maximumLongitude', maximumLongitude);
  if (minimumLatitude > maximumLatitude) throw badInput('minimumLatitude must not be more than maximumLatitude.');
  if (minimumLongitude > maximumLongitude) throw badInput('minimumLongitude must not be more than maximumLongitude.');
  return { minimumLatitude, minimumLongitude, maximumLatitude, maximumLongitude };
}

/** Whether any journey pattern calls there. */
export function isQuayInUse(stop: StopIndex, { timetable }: RequestContext): boolean {
  return timetable.catalogue.patternsOfStop(stop).length > 0;
}

export function isStopPlaceInUse(place: StopPlaceIndex, context: RequestContext): boolean {
  return context.timetable.catalogue.quaysOf(place, true).some((stop) => isQuayInUse(stop, context));
}

/** Stop places that represent a stop place in the answer. */
export function shownAs(
  place: StopPlaceIndex,
  mode: MultiModalMode,
  { timetable: { catalogue } }: RequestContext,
): readonly StopPlaceIndex[] {
  const { parent, isParent } = catalogue.stopPlaces.at(place);
  if (mode === 'child') return isParent ? [] : [place];
  if (parent === undefined) return [place];
  return mode === 'parent' ? [parent] : [place, parent];
}
