/** The variables that the relay reads from its environment. Callers: area.ts, relay-role.ts. */
import { z } from 'zod';

export const relayRoleShape = {
  /** How long events can be read. A webhook is tried for 72 hours, so they must last longer. */
  EVENTS_KEPT_DAYS: z.coerce.number().int().min(4).max(3_650).default(30),
};
