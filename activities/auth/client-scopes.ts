/**
 * All scopes, and those that a client must not have. Callers: the operations of `/admin/clients`, `npm run client`.
 * Pure.
 *
 * Sales partners never get scopes for the administration of clients, for timetables or for real time. A stolen partner
 * client could otherwise upload a timetable or create another client. The operator's own clients may have all.
 */
/** Scopes that a sales partner's client may have, in addition to the events of its organisation. */
export const SALES_SCOPES = [
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
/**
 * Rights that a partner's client has only where it is meant to: lines at prices other than those of the catalogue, checks
 * of tickets of every seller, and refunds without the fees of their rules.
 */
export const EXCEPTIONAL_SALES_SCOPES = ['orders:price', 'tickets:validate', 'refunds:overrule'];
const NEVER_PARTNERS = [
  'timetable:read',
  'timetable:write',
  'timetable:read-private',
  'realtime:write',
  'codespaces:write',
  'clients:write',
  'payloads:decode',
  'payloads:encode',
];

export const SCOPES: readonly string[] = [
  ...SALES_SCOPES,
  ...EXCEPTIONAL_SALES_SCOPES,
  ...NEVER_PARTNERS,
  'events:read',
  'audit:read',
  'catalogue:write',
  'organisation:any',
];

/** A client with one of these reaches the data of every organisation, or can give itself the other scopes. */
const OPERATORS_ALONE = [
  'clients:write',
  'codespaces:write',
  'catalogue:write',
  'organisation:any',
  'payloads:decode',
  'payloads:encode',
];

export interface ForbiddenScope {
  /** Position in the list of requested scopes. */
  readonly index: number;
  readonly reason: string;
}

/** The scopes that a client of another organisation than the operator's must not have. */
export function findForbiddenScopes(scopes: readonly string[]): readonly ForbiddenScope[] {
  const sells = scopes.some((scope) => [...SALES_SCOPES, ...EXCEPTIONAL_SALES_SCOPES].includes(scope));
  return scopes.flatMap((scope, index) => {
    if (OPERATORS_ALONE.includes(scope)) return [{ index, reason: 'is for the operator’s own organisation alone' }];
    if (!sells || !NEVER_PARTNERS.includes(scope)) return [];
    return [{ index, reason: 'is never given to a client that also sells' }];
  });
}
