/**
 * Resolves `leg(id)`: a ride of an earlier answer, with its current values. Null when its journey, day or calls no
 * longer exist.
 */
import { decodeLegId } from '../../../planner/identity/journey-ids.ts';
import { findRide } from '../../../planner/identity/named-ride.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { badInput } from '../resolvers/user-input.ts';
import { type LegSource, legOfRide } from './leg-source.ts';

export function findLeg({ id }: { readonly id: string }, context: RequestContext): LegSource | undefined {
  const named = decodeLegId(id, context.config.PLANNER_ID_KEYS);
  if (!named) throw badInput('The id is not one that a leg of this planner has.');
  const ride = findRide(context.timetable, named);
  return ride && legOfRide(ride, Number.NaN, context.timetable);
}
