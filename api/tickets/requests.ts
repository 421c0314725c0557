/** Reads what the operations on tickets share: the organisations of the caller, its work, its language, dates. */
import Negotiator from 'negotiator';
import type { OrganisationId, TicketDistributionId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { Caller, OperationContext } from '../shared/operation.ts';

const EVERY_ORGANISATION = 'organisation:any';
/** Codes that callers send for each language; `no` is either Norwegian. */
const LANGUAGES: readonly (readonly [TextLanguage, ...(readonly string[])])[] = [
  ['nob', 'nb', 'no', 'nob', 'nor'],
  ['nno', 'nn', 'nno'],
  ['eng', 'en', 'eng'],
];

export type Tenancy = OrganisationId | 'ANY';

export function tenancyOf({ scopes, organisationId }: Caller): Tenancy {
  return scopes.has(EVERY_ORGANISATION) ? 'ANY' : organisationId;
}

export type WriteRequest = Pick<OperationContext, 'correlationId' | 'idempotency'> & { readonly caller: Caller };

export async function workOf({ idempotency, correlationId, caller }: WriteRequest) {
  const { workId } = await idempotency.claim();
  return { workId, correlationId, clientId: caller.clientId };
}

/** Of the header `Accept-Language`. Undefined where it names none that tickets are written in. */
export function languageOf(accepted: string | undefined): TextLanguage | undefined {
  if (accepted === undefined || accepted.trim() === '*') return undefined;
  const codes = LANGUAGES.flatMap(([, ...names]) => names);
  const wanted = new Negotiator({ headers: { 'accept-language': accepted } }).language(codes);
  return LANGUAGES.find(([, ...names]) => wanted !== undefined && names.includes(wanted))?.[0];
}

export function distributionIdOf({ ticketDistributionId }: { readonly ticketDistributionId: string }) {
  return Number(ticketDistributionId) as TicketDistributionId;
}

export function invalidMember(pointer: string, code: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, { errors: [{ pointer, code, detail }] });
}
