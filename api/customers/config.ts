/** What this area reads from the environment of the API, beside what every reader of customers needs. */
import { z } from 'zod';

const count = z.coerce.number().int().min(1).max(10_000);

export const authenticateShape = {
  /** Wrong passwords for one profile in 15 minutes; then no password is checked for it. */
  AUTHENTICATE_FAILURES: count.default(10),
  /** The same from one network address: a partner's back end is one. */
  AUTHENTICATE_FAILURES_PER_ADDRESS: count.default(100),
};
