/** The variables that the role of this area reads. Callers: area.ts, the role. */
import { z } from 'zod';
import { publicKeys } from '../../platform/config.ts';

const MINUTE_MS = 60_000;

export const ordersRoleShape = {
  /** Public halves of the keys that sign timetable snapshots. */
  PLANNER_PUBLIC_KEYS: publicKeys('PLANNER_PUBLIC_KEYS'),
  /** A ride that departs or arrives so many minutes later than it was sold is disrupted. */
  DISRUPTION_LATER_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .default(60)
    .transform((minutes) => minutes * MINUTE_MS),
};
