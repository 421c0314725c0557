/** Settings of refunds. Caller: the API's composition. */
import { z } from 'zod';

const CODE = /^[A-Z][A-Z0-9_]{0,39}$/;

export const refundsShape = {
  /** Codes by which callers with the scope `refunds:overrule` lift fees and windows; comma-separated. */
  REFUND_OVERRULE_CODES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim()])))
    .refine((codes) => codes.every((code) => CODE.test(code)), 'has codes of capital letters, digits and _'),
};
