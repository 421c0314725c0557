/** The clients of a local stack and their rights. The first start makes their secrets (secrets.ts). */
import { EXCEPTIONAL_SALES_SCOPES, SALES_SCOPES } from '../../activities/auth/client-scopes.ts';

export interface DevelopmentClient {
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

/** All usual scopes of a sales partner. They exclude other organisations, timetables and administration. */
export const PARTNER_SCOPES = [...SALES_SCOPES, 'events:read'];
const TIMETABLE_SCOPES = ['timetable:read', 'timetable:write', 'timetable:read-private', 'realtime:write'];
const OPERATOR_SCOPES = [
  ...EXCEPTIONAL_SALES_SCOPES,
  'catalogue:write',
  'organisation:any',
  'codespaces:write',
  'clients:write',
  'payloads:decode',
  'payloads:encode',
  'audit:read',
];

export const DEVELOPMENT_CLIENTS: readonly DevelopmentClient[] = [
  { name: 'partner-1', organisationId: 1, codespaces: [], scopes: [...PARTNER_SCOPES, 'tickets:validate'] },
  { name: 'partner-2', organisationId: 2, codespaces: [], scopes: PARTNER_SCOPES },
  { name: 'reader-1', organisationId: 1, codespaces: [], scopes: ['orders:read'] },
  {
    name: 'operator',
    organisationId: 1000,
    codespaces: ['*'],
    scopes: [...PARTNER_SCOPES, ...TIMETABLE_SCOPES, ...OPERATOR_SCOPES],
  },
  { name: 'timetable-demo', organisationId: 1, codespaces: ['dem'], scopes: TIMETABLE_SCOPES },
];
