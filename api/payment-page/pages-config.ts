/** The variables of the server of payment pages alone. Caller: start-pages.ts. */
import { z } from 'zod';

const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

export const pagesShape = {
  /** Origins of the providers' terminals, comma-separated. A page's form leads to no other. */
  TERMINAL_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((each) => each.trim() !== ''))
    .pipe(z.array(origin)),
  /** Links of one IPv4 address or IPv6 /64 that are not valid and are answered as such, in this process. */
  WRONG_LINKS_PER_MINUTE: z.coerce.number().int().positive().default(30),
};
