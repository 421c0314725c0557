/**
 * What every router of the journey planner process is made from: each exports `create…Router(context: PlannerContext):
 * Router` (Express), which `server.ts` mounts at `/`, so a router names its full paths (`/journey-planner/v3/graphql`).
 * Made once by `server.ts`; tests make one of their own over a small network.
 */
import type { Registry } from 'prom-client';
import type { Timetable } from '../../planner/index.ts';
import type { TripPlanner } from '../../planner/trip/trip-types.ts';
import type { Logger } from '../../platform/log.ts';
import type { PlannerConfig } from './config.ts';

export interface PlannerContext {
  /**
   * The newest snapshot; undefined until the first was loaded. Take it once a request and keep to it: the next call may
   * answer another one, whose indexes mean something else.
   */
  timetable(): Timetable | undefined;
  /**
   * The snapshot that an answer of `planner` is in the indexes of (`TripAnswer.snapshotId`): the newest, or one that was
   * replaced while the search ran. Known for a minute after it was replaced, which is longer than any request lives.
   */
  timetableOf(snapshotId: string): Timetable | undefined;
  readonly planner: TripPlanner;
  /** Seconds since 1970 UTC, whole. */
  now(): number;
  readonly config: PlannerConfig;
  readonly log: Logger;
  /** For metrics of the routers; named `planner_…`. */
  readonly metrics: Registry;
}
