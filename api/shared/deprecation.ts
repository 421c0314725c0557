/**
 * Headers of deprecated operations, and of requests with deprecated members: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor. Configuration sets
 * the dates, at least six months apart.
 */

import { DAY_MS } from '../../workflows/shared/spans.ts';
import type { OperationEntry } from './openapi-document.ts';
import type { RequestContext } from './request-context.ts';

export interface DeprecationDates {
  readonly deprecatedAt: Date;
  readonly sunsetAt: Date;
}

export const DEFAULT_DEPRECATION_DATES: DeprecationDates = {
  deprecatedAt: new Date('2026-11-21T00:00:00Z'),
  sunsetAt: new Date('2027-11-21T00:00:00Z'),
};

const NOTICE_MS = 182 * DAY_MS;

export function checkDates(dates: DeprecationDates): void {
  if (dates.sunsetAt.getTime() - dates.deprecatedAt.getTime() < NOTICE_MS) {
    throw new Error('The configuration is not usable: SUNSET_AT must be at least six months after DEPRECATED_AT');
  }
}

export function setDeprecationHeaders(
  context: RequestContext,
  operation: Pick<OperationEntry, 'successor'>,
  path: Readonly<Record<string, string>>,
  dates: DeprecationDates,
): void {
  const { response } = context;
  response.setHeader('deprecation', `@${Math.floor(dates.deprecatedAt.getTime() / 1000)}`);
  response.setHeader('sunset', dates.sunsetAt.toUTCString());
  const successor = operation.successor?.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  if (successor !== undefined) response.setHeader('link', `<${successor}>; rel="successor-version"`);
}
