/** The variables of this area in the environment of the API, in addition to those of every reader of customers. */
import { z } from 'zod';
import type { PasswordOptions } from '../../activities/customers/passwords.ts';

const count = z.coerce.number().int().min(1).max(10_000);

export const authenticateShape = {
  /** Wrong passwords for one profile from one address of a client in 15 minutes; above it, none is checked from there. */
  AUTHENTICATE_FAILURES: count.default(10),
  /** From all addresses together; above it, one password is checked in 10 seconds. Bounds what many addresses can guess. */
  AUTHENTICATE_FAILURES_PER_PROFILE: count.default(100),
  /** The same for one client and one address of an end user, as `Service-End-User-Address` names it. */
  AUTHENTICATE_FAILURES_PER_ADDRESS: count.default(100),
  /** Password hashes at once, of all organisations. Each takes 128 MiB and a thread for a third of a second. */
  PASSWORD_HASHES_AT_ONCE: count.default(2),
  /** Passwords that one organisation may have waiting; above it, its next ones are answered 429. */
  PASSWORD_HASHES_WAITING: count.default(50),
  /** Threads of Node's pool, which reads this variable itself. Password hashes take at most half of them. */
  UV_THREADPOOL_SIZE: count.default(4),
};

type AuthenticateConfig = z.infer<z.ZodObject<typeof authenticateShape>>;

export function passwordOptions(config: AuthenticateConfig): PasswordOptions {
  const { PASSWORD_HASHES_AT_ONCE, PASSWORD_HASHES_WAITING, UV_THREADPOOL_SIZE } = config;
  const atOnce = Math.max(1, Math.min(PASSWORD_HASHES_AT_ONCE, Math.floor(UV_THREADPOOL_SIZE / 2)));
  return { atOnce, waitingPerOrganisation: PASSWORD_HASHES_WAITING };
}
