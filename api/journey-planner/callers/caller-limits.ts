/**
 * How much a caller may ask: part of the process configuration (`../config.ts`).
 * An identified caller is one name from one address; all others share what their address has.
 */
import { z } from 'zod';

const count = z.coerce.number().int().positive();
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

export const callerLimitsShape = {
  /** Requests a minute of an identified caller, whatever they ask. */
  RATE_LIMIT_IDENTIFIED: count.default(600),
  /** Of a caller without a name, or with a malformed one. */
  RATE_LIMIT_TRIPS_PER_MINUTE: count.default(30),
  RATE_LIMIT_TRIPS_PER_SECOND: count.default(2),
  RATE_LIMIT_OTHERS_PER_MINUTE: count.default(60),
  RATE_LIMIT_OTHERS_PER_SECOND: count.default(20),
  /** `mongodb`: all processes count together by the minute; `process`: each for itself. */
  RATE_LIMIT_SHARED: z.enum(['process', 'mongodb']).default('process'),
  /** How often processes tell each other what they have counted. */
  RATE_LIMIT_SYNC_MS: z.coerce.number().int().min(20).default(500),
  /** Names that one address may use within a minute; callers with more of them count as without a name. */
  RATE_LIMIT_NAMES_PER_ADDRESS: count.default(100),
  /** Callers that a process counts one by one; those beyond share one count. */
  RATE_LIMIT_MAX_CALLERS: count.default(50_000),
  /** Client names that are refused, comma-separated; upper and lower case are the same. */
  BLOCKED_CLIENT_NAMES: list.transform((names) => new Set(names.map((name) => name.toLowerCase()))).default(new Set()),
} as const;

export type CallerLimits = z.infer<z.ZodObject<typeof callerLimitsShape>>;
