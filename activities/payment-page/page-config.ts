/** The variables of processes that tell or check the links of payment pages. Callers: manifest, role, compositions. */
import { z } from 'zod';
import { keyRing } from '../../platform/config.ts';

export const paymentPageShape = {
  /** Make the tokens in links: `keyId:base64 of 32 bytes`, comma-separated; the first makes new ones, all check. */
  PAYMENT_PAGE_KEYS: keyRing('PAYMENT_PAGE_KEYS'),
  /** Where customers reach the pages. A link is this address, the order's number and the token. */
  PAYMENT_PAGE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
};
