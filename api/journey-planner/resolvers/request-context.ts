/**
 * The request context of resolvers. The executor makes one per request. A resolver takes everything from the context
 * and from its source. It keeps nothing between requests and never requests another timetable.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { TripPlanner } from '../../../planner/trip/trip-types.ts';
import type { PlannerConfig } from '../config.ts';
import type { TimeSlices } from '../executor/time-slices.ts';
import type { ItemBudget } from '../guards/item-budget.ts';

/** The two schemas: v2, and v3, which current clients use. */
export type Dialect = 'v2' | 'v3';

export interface RequestContext {
  readonly dialect: Dialect;
  /**
   * One snapshot for the whole request. Only a trip may replace it, if its search ran on a newer snapshot. It must do
   * so before anything of its answer is resolved, since indexes belong to one snapshot.
   */
  timetable: Timetable;
  /**
   * Number of times `timetable` was set. If it grows, other parts of the answer may come from the previous snapshot,
   * and the executor runs the query again.
   */
  timetableChanges: number;
  /** Finds a timetable by the `snapshotId` of a trip answer; see `PlannerContext`. */
  timetableOf(snapshotId: string): Timetable | undefined;
  readonly planner: TripPlanner;
  readonly config: PlannerConfig;
  /** Seconds since 1970 UTC, the same for the whole request. */
  readonly now: number;
  /** Requested language (Accept-Language) as two letters; undefined without one. */
  readonly locale: string | undefined;
  /** As sent, unchecked. */
  readonly clientName: string | undefined;
  /** Network of the caller. Waiting searches are taken in rotation by network. Undefined without the caller guard. */
  readonly network: string | undefined;
  readonly requestId: string;
  /** Aborted when the caller has disconnected or the time limit has passed. */
  readonly signal: AbortSignal;
  /** Aborts the signal, because no caller waits for the answer any longer. */
  giveUp(): void;
  /** Every list field counts its items here. */
  readonly budget: ItemBudget;
  /** Gives other requests the event loop while a long answer is made. */
  readonly slices: TimeSlices;
  /** Added to the answer as `extensions` when not empty. `notes` inform the caller, for example that a list was cut. */
  readonly extensions: { notes?: string[] } & Record<string, unknown>;
}

export function addNote(context: RequestContext, note: string): void {
  const notes = context.extensions.notes ?? [];
  context.extensions.notes = notes;
  if (!notes.includes(note)) notes.push(note);
}
