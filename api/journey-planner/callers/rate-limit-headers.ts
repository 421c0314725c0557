/** Sets the `Rate-Limit-…` headers of every answer, and `Retry-After` of a refusal. */
import type { ServerResponse } from 'node:http';
import type { Allowance } from './rate-limits.ts';

/** Cache of the text, which is the same for all callers until the minute is over. */
let last = { endsAtMs: Number.NaN, text: '' };

function expiryOf(endsAtMs: number): string {
  if (endsAtMs !== last.endsAtMs) {
    last = { endsAtMs, text: new Date(Math.ceil(endsAtMs / 1_000) * 1_000).toUTCString() };
  }
  return last.text;
}

export function setRateLimitHeaders(response: ServerResponse, { allowed, used, range, endsAtMs }: Allowance): void {
  if (response.headersSent) return;
  response.setHeader('rate-limit-allowed', String(allowed));
  response.setHeader('rate-limit-available', String(Math.max(0, allowed - used)));
  response.setHeader('rate-limit-used', String(used));
  response.setHeader('rate-limit-range', range);
  response.setHeader('rate-limit-expiry-time', expiryOf(endsAtMs));
}

export function retryAfterSeconds({ endsAtMs }: Allowance, nowMs: number): number {
  return Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));
}
