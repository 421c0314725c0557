/** The variables that the events worker reads from its environment. Callers: area.ts, relay-role.ts. */
import { z } from 'zod';

const BROKER = /^[^\s:,/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/;

export const relayRoleShape = {
  /** How long events can be read. A webhook is tried for 72 hours, so they must last longer. */
  EVENTS_KEPT_DAYS: z.coerce.number().int().min(4).max(3_650).default(30),
  /** Where events are published, too. Absent: nowhere. */
  KAFKA_BROKERS: z
    .string()
    .optional()
    .transform((text, context) => {
      const brokers = (text ?? '').split(',').map((each) => each.trim());
      if (brokers.join('') === '') return [];
      if (brokers.every((each) => BROKER.test(each))) return brokers;
      context.addIssue({ code: 'custom', message: 'must be host:port, comma-separated' });
      return z.NEVER;
    }),
};
