/** The variables that the relay reads from its environment. Callers: area.ts, relay-role.ts. */
import { z } from 'zod';

export const relayRoleShape = {
  /** How long events can be read. */
  EVENTS_KEPT_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
};
