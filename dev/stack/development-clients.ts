/** The clients of a local stack and what each may do. Their secrets are made at first start; see secrets.ts. */
import { SALES_SCOPES } from '../../activities/auth/client-scopes.ts';

export interface DevelopmentClient {
  readonly name: string;
  readonly organisationId: number;
  readonly codespaces: readonly string[];
  readonly scopes: readonly string[];
}

/** All that a sales partner may do: nothing of other organisations, of the timetable, or of the service's own upkeep. */
export const PARTNER_SCOPES = [...SALES_SCOPES, 'events:read'];
const TIMETABLE_SCOPES = ['timetable:read', 'timetable:write', 'timetable:read-private', 'realtime:write'];
const OPERATOR_SCOPES = ['catalogue:write', 'organisation:any', 'codespaces:write', 'clients:write', 'payloads:decode'];

export const DEVELOPMENT_CLIENTS: readonly DevelopmentClient[] = [
  { name: 'partner-1', organisationId: 1, codespaces: [], scopes: PARTNER_SCOPES },
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
