/**
 * Every scope there is, and which are never given. Callers: the operations of `/admin/clients`, `npm run client`. Pure.
 *
 * Sales partners are given neither the administration of clients nor anything of timetables and real time: a partner's client
 * that could upload a timetable, or make itself another client, would be worth stealing. The operator's own may have all.
 */
const SALES_SCOPES = [
  'profiles:read',
  'profiles:write',
  'profiles:authenticate',
  'consents:read',
  'consents:write',
  'offers:search',
  'orders:read',
  'orders:write',
  'payments:read',
  'payments:write',
  'payment-page:read',
  'payment-page:write',
  'tickets:read',
  'tickets:write',
  'receipts:read',
  'receipts:write',
  'refunds:read',
  'refunds:write',
  'seating:read',
  'seating:write',
  'webhooks:write',
];
const NEVER_PARTNERS = [
  'timetable:read',
  'timetable:write',
  'timetable:read-private',
  'realtime:write',
  'codespaces:write',
  'clients:write',
  'payloads:decode',
];

export const SCOPES: readonly string[] = [
  ...SALES_SCOPES,
  ...NEVER_PARTNERS,
  'events:read',
  'catalogue:write',
  'organisation:any',
];

/** A client with one of these reaches the data of every organisation, or can give itself the other scopes. */
const OPERATORS_ALONE = ['clients:write', 'codespaces:write', 'catalogue:write', 'organisation:any', 'payloads:decode'];

export interface ForbiddenScope {
  /** In the list of asked scopes. */
  readonly index: number;
  readonly reason: string;
}

/** The scopes that a client of another organisation than the operator's must not have. */
export function findForbiddenScopes(scopes: readonly string[]): readonly ForbiddenScope[] {
  const sells = scopes.some((scope) => SALES_SCOPES.includes(scope));
  return scopes.flatMap((scope, index) => {
    if (OPERATORS_ALONE.includes(scope)) return [{ index, reason: 'is for the operator’s own organisation alone' }];
    if (!sells || !NEVER_PARTNERS.includes(scope)) return [];
    return [{ index, reason: 'is never given to a client that also sells' }];
  });
}
