/**
 * Reads codespace, import and fields from a request, with the checks that a schema cannot express.
 */
import type { CodespaceFields, CodespaceRecord, CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller } from '../shared/operation.ts';
import type { Schemas } from './contract.gen.ts';

const EVERY_CODESPACE = '*';
const DEFAULT_ALLOWED_XMLNS = ['NSR', 'PEN'];

/** The codespace that a request names, and its caller. */
export interface CodespaceRequest {
  readonly path: { readonly codespace: Codespace };
  readonly caller: Caller;
}

/** UUIDs are the same in upper case. */
export function toCorrelationId(text: string): CorrelationId {
  return text.toLowerCase() as CorrelationId;
}

/**
 * The codespace, for callers with a grant. The grant is checked first, so that others do not learn which codespaces
 * exist.
 */
export async function getGrantedCodespace(
  codespaces: CodespaceStore,
  { path: { codespace }, caller }: CodespaceRequest,
): Promise<CodespaceRecord> {
  const granted = caller.codespaces;
  if (!granted.has(codespace) && !granted.has(EVERY_CODESPACE)) {
    throw new ServiceError('CODESPACE_FORBIDDEN', 'This codespace is not granted to the client');
  }
  return await codespaces.get(codespace);
}

export function codespaceFieldsOf(codespace: Codespace, body: Schemas['CodespaceFields']): CodespaceFields {
  const xmlns = codespace.toUpperCase();
  if ((body.codespace ?? codespace) !== codespace)
    throw invalidMember('/codespace', `must be ${codespace}, as in the path`);
  if ((body.xmlns ?? xmlns) !== xmlns) throw invalidMember('/xmlns', `must be ${xmlns}, the codespace in upper case`);
  return {
    name: body.name,
    xmlns,
    allowedXmlns: body.allowedXmlns ?? DEFAULT_ALLOWED_XMLNS,
    profile: body.profile ?? 'timetable',
    ...(body.authorities && { authorities: body.authorities }),
    ownerOrganisationId: body.ownerOrganisationId,
  };
}

function invalidMember(pointer: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}`, {
    errors: [{ pointer, code: 'CONST', detail }],
  });
}
