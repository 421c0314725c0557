/** An operator's decision on a refund, as it comes from the Temporal UI or its command: of any shape. Pure. */
import { RESOLUTIONS } from './refund.ts';

/** A code: a free text may name a person. */
const REASON = /^[A-Z][A-Z0-9_]{0,39}$/;

/** What is wrong with it; undefined where nothing is. */
export function decisionFault(request: unknown): string | undefined {
  const { resolution, reason } = typeof request === 'object' && request !== null ? members(request) : {};
  if (!RESOLUTIONS.some((each) => each === resolution)) return `resolution must be one of ${RESOLUTIONS.join(', ')}.`;
  if (typeof reason === 'string' && REASON.test(reason)) return undefined;
  return 'reason must be a code of up to 40 capital letters, digits and _, as BANK_TRANSFER.';
}

function members(request: object): { readonly resolution?: unknown; readonly reason?: unknown } {
  return request;
}
