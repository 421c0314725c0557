/**
 * Every scope there is, and which never go together. Callers: the operations of `/admin/clients`, `npm run client`. Pure.
 *
 * Sales partners are given neither the administration of clients nor anything of timetables and real time: a partner's client
 * that could upload a timetable, or make itself another client, would be worth stealing. The operator's own may have all.
 */
const SALES_SCOPES = [
  ...['profiles:read', 'profiles:write', 'profiles:authenticate', 'consents:read', 'consents:write'],
  ...['offers:search', 'orders:read', 'orders:write', 'payments:read', 'payments:write'],
  ...['payment-page:read', 'payment-page:write', 'tickets:read', 'tickets:write', 'receipts:read', 'receipts:write'],
  ...['refunds:read', 'refunds:write', 'seating:read', 'seating:write', 'webhooks:write'],
];
const NEVER_PARTNERS = [
  ...['timetable:read', 'timetable:write', 'timetable:read-private', 'realtime:write'],
  ...['codespaces:write', 'clients:write', 'payloads:decode'],
];

export const SCOPES: readonly string[] = [
  ...SALES_SCOPES,
  ...NEVER_PARTNERS,
  ...['events:read', 'catalogue:write', 'organisation:any'],
];

/** Positions of scopes that a client with sales scopes must not have; empty: they may stand together. */
export function findMixedScopes(scopes: readonly string[]): readonly number[] {
  if (!scopes.some((scope) => SALES_SCOPES.includes(scope))) return [];
  return scopes.flatMap((scope, index) => (NEVER_PARTNERS.includes(scope) ? [index] : []));
}
