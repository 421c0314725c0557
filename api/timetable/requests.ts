/**
 * Reads codespace, import and fields from a request, with the checks that a schema cannot express.
 */
import type { CodespaceFields, CodespaceRecord, CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import type { Codespace, CorrelationId, ImportKey } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OperationContext } from '../shared/operation.ts';
import { requireCaller } from '../shared/require-caller.ts';

const EVERY_CODESPACE = '*';
const DEFAULT_ALLOWED_XMLNS = ['NSR', 'PEN'];

export function codespaceOf(context: OperationContext): Codespace {
  return (context.path.codespace ?? '') as Codespace;
}

export function correlationIdOf(context: OperationContext): CorrelationId {
  return (context.path.correlationId ?? '').toLowerCase() as CorrelationId;
}

export function importKeyOf(context: OperationContext): ImportKey {
  return (context.path.importKey ?? '') as ImportKey;
}

/**
 * The codespace, for callers it was granted to. A grant is asked for first, so that others do not learn which codespaces
 * there are.
 */
export async function getGrantedCodespace(
  codespaces: CodespaceStore,
  context: OperationContext,
): Promise<CodespaceRecord> {
  const codespace = codespaceOf(context);
  const granted = requireCaller(context).codespaces;
  if (!granted.has(codespace) && !granted.has(EVERY_CODESPACE)) {
    throw new ServiceError('CODESPACE_FORBIDDEN', 'This codespace is not granted to the client');
  }
  return await codespaces.get(codespace);
}

interface CodespaceBody {
  readonly codespace?: string;
  readonly name: string;
  readonly xmlns?: string;
  readonly allowedXmlns?: readonly string[];
  readonly profile?: CodespaceFields['profile'];
  readonly authorities?: readonly string[];
  readonly ownerOrganisationId: CodespaceFields['ownerOrganisationId'];
}

export function codespaceFieldsOf(context: OperationContext): CodespaceFields {
  const codespace = codespaceOf(context);
  const body = context.body as CodespaceBody;
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
