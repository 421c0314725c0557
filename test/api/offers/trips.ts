/** Trips of the real planner over the demo region, as bodies of a search. */
import {
  type PlannedTrips,
  type SearchedPattern,
  searchedPatterns,
  TRIP_PATTERNS,
} from '../../../dev/demo/trip-patterns.ts';
import { type DemoPlanner, SEVEN_TEXT } from '../journey-planner/demo-planner.ts';

/** As `useDemoPlanner` answers it. */
export interface Demo {
  readonly planner: DemoPlanner;
}

export async function tripPatterns(
  planner: DemoPlanner,
  from: string,
  to: string,
): Promise<readonly SearchedPattern[]> {
  const variables = { from, to, at: SEVEN_TEXT, count: 4 };
  return searchedPatterns((await planner.data('v3', TRIP_PATTERNS, variables)) as PlannedTrips);
}
