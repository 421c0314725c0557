/**
 * What resolvers know of the request they work for; made once per request by the executor. A resolver takes everything from here
 * and from its source, keeps nothing between requests and never asks for another timetable.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { TripPlanner } from '../../../planner/trip/trip-types.ts';
import type { PlannerConfig } from '../config.ts';
import type { TimeSlices } from '../executor/time-slices.ts';
import type { ItemBudget } from '../guards/item-budget.ts';

/** The two schemas: v2 of the interface, v3 of today's clients. */
export type Dialect = 'v2' | 'v3';

export interface RequestContext {
  readonly dialect: Dialect;
  /**
   * One snapshot from start to end of the request. Only a trip whose search ran on another one (it was replaced meanwhile) sets
   * it, before anything of its answer is resolved: indexes mean nothing in a snapshot they do not come from.
   */
  timetable: Timetable;
  /** How often `timetable` was set: then other parts of the answer may be of the snapshot before, and it is made anew. */
  timetableChanges: number;
  /** By the `snapshotId` of a trip answer; see `PlannerContext`. */
  timetableOf(snapshotId: string): Timetable | undefined;
  readonly planner: TripPlanner;
  readonly config: PlannerConfig;
  /** Seconds since 1970 UTC, the same for the whole request. */
  readonly now: number;
  /** Language asked for in Accept-Language, two letters; undefined: none. */
  readonly locale: string | undefined;
  /** As sent, unchecked. */
  readonly clientName: string | undefined;
  readonly requestId: string;
  /** Aborted when the caller has gone or the time limit has passed. */
  readonly signal: AbortSignal;
  /** Aborts the signal: nobody waits for the answer any more. */
  giveUp(): void;
  /** Taken from by every list field. */
  readonly budget: ItemBudget;
  /** Lets other requests have the event loop while a long answer is made. */
  readonly slices: TimeSlices;
  /** Added to the answer as `extensions` when not empty. `notes`: what the caller should know, such as a list cut short. */
  readonly extensions: { notes?: string[] } & Record<string, unknown>;
}

export function addNote(context: RequestContext, note: string): void {
  const notes = context.extensions.notes ?? [];
  context.extensions.notes = notes;
  if (!notes.includes(note)) notes.push(note);
}
