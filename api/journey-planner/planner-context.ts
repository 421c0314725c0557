/**
 * Dependencies of every router of the journey planner process. Each router module exports `create…Router(context:
 * PlannerContext): Router` (Express). `server.ts` mounts it at `/`, so a router uses full paths
 * (`/journey-planner/v3/graphql`). `server.ts` makes one context; tests make their own over a small network.
 */
import type { Registry } from 'prom-client';
import type { Timetable } from '../../planner/index.ts';
import type { TripPlanner } from '../../planner/trip/trip-types.ts';
import type { Logger } from '../../platform/log.ts';
import type { PlannerConfig } from './config.ts';

export interface PlannerContext {
  /**
   * The newest snapshot; undefined until the first is loaded. Take it once per request and keep it: the next call may
   * return another snapshot, whose indexes differ.
   */
  timetable(): Timetable | undefined;
  /**
   * The snapshot whose indexes a `planner` answer contains (`TripAnswer.snapshotId`): the newest, or one replaced
   * during the search. It is known for a minute after its replacement, longer than any request lives.
   */
  timetableOf(snapshotId: string): Timetable | undefined;
  readonly planner: TripPlanner;
  /** Seconds since 1970 UTC, whole. */
  now(): number;
  readonly config: PlannerConfig;
  readonly log: Logger;
  /** Registry for metrics of the routers, with names `planner_…`. */
  readonly metrics: Registry;
}
