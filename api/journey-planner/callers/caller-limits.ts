/**
 * Limits of callers: part of the process configuration (`../config.ts`). An identified caller is one name from one
 * address. Callers without a name share the limit of their address. Names are claimed without proof, so the totals of
 * address and network apply to any name.
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
  /** Requests a minute of an identified caller, of any kind. */
  RATE_LIMIT_IDENTIFIED: count.default(600),
  /** Limit of a caller without a name, or with a malformed one. */
  RATE_LIMIT_TRIPS_PER_MINUTE: count.default(30),
  RATE_LIMIT_TRIPS_PER_SECOND: count.default(2),
  RATE_LIMIT_OTHERS_PER_MINUTE: count.default(60),
  RATE_LIMIT_OTHERS_PER_SECOND: count.default(20),
  /**
   * Requests a minute of one address (IPv4 address, IPv6 /64), all names together. The default is three identified
   * callers.
   */
  RATE_LIMIT_ADDRESS: count.optional(),
  /**
   * Requests a minute of one network (IPv4 /24, IPv6 /48), all addresses together. The default is ten identified
   * callers.
   */
  RATE_LIMIT_NETWORK: count.optional(),
  /** With `mongodb` all processes count together by the minute. With `process` each counts for itself. */
  RATE_LIMIT_SHARED: z.enum(['process', 'mongodb']).default('process'),
  /** Interval at which processes share their counts. */
  RATE_LIMIT_SYNC_MS: z.coerce.number().int().min(20).default(500),
  /**
   * Maximum number of callers, of addresses and of networks that a process counts individually. Beyond it, those with
   * the fewest requests are dropped.
   */
  RATE_LIMIT_MAX_CALLERS: count.default(50_000),
  /** Refused client names, comma-separated, without regard to case. */
  BLOCKED_CLIENT_NAMES: list.transform((names) => new Set(names.map((name) => name.toLowerCase()))).default(new Set()),
} as const;

export type CallerLimits = z.infer<z.ZodObject<typeof callerLimitsShape>>;

const CALLERS_PER_ADDRESS = 3;
const CALLERS_PER_NETWORK = 10;

/** Returns totals a minute. They default to multiples of the caller's limit, so raising it raises them. */
export function totalsOf(limits: CallerLimits): { readonly address: number; readonly network: number } {
  const unidentified = limits.RATE_LIMIT_TRIPS_PER_MINUTE + limits.RATE_LIMIT_OTHERS_PER_MINUTE;
  const caller = Math.max(limits.RATE_LIMIT_IDENTIFIED, unidentified);
  return {
    address: limits.RATE_LIMIT_ADDRESS ?? CALLERS_PER_ADDRESS * caller,
    network: limits.RATE_LIMIT_NETWORK ?? CALLERS_PER_NETWORK * caller,
  };
}
