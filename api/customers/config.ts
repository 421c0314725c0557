/** The variables of this area in the environment of the API, in addition to those of every reader of customers. */
import { z } from 'zod';

const count = z.coerce.number().int().min(1).max(10_000);

export const authenticateShape = {
  /** Wrong passwords for one profile in 15 minutes; above it, no password is checked for the profile. */
  AUTHENTICATE_FAILURES: count.default(10),
  /** The same for one network address; a partner's back end has one. */
  AUTHENTICATE_FAILURES_PER_ADDRESS: count.default(100),
};
