/** Reads the requests of payment pages: the page that a path names, times, conditions. */
import type { StoredPage, Tenancy } from '../../activities/payment-page/page-store.ts';
import { LONGEST_LIFE_MS } from '../../workflows/payment-page/rules/page-times.ts';
import type { PaymentPageId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { revisionCheck } from '../shared/etags.ts';
import type { Caller } from '../shared/operation.ts';
import type { Schemas } from './contract.gen.ts';

const EVERY_ORGANISATION = 'organisation:any';

interface PageRequest {
  readonly path: { readonly id: PaymentPageId };
  readonly caller: Caller;
}

export function tenancyOf({ scopes, organisationId }: Caller): Tenancy {
  return scopes.has(EVERY_ORGANISATION) ? 'ANY' : organisationId;
}

export function targetOf({ caller, path }: PageRequest): readonly [Tenancy, PaymentPageId] {
  return [tenancyOf(caller), plainUuid(path.id) as PaymentPageId];
}

/** Throws REVISION_CONFLICT. What is written rests on that revision then. */
export function checkedRevision({ page, revision }: StoredPage, ifMatch: string | undefined): { ifRevision?: number } {
  if (ifMatch === undefined) return {};
  revisionCheck(ifMatch)({ version: page.orderVersion, revision });
  return ifMatch.trim() === '*' ? {} : { ifRevision: revision };
}

/** Both spellings; throws where they differ. */
export function expiryOf({ expireAt, expiraAt }: Schemas['PaymentPagePatch'], now: Date): Date | undefined {
  const isOne = expireAt === undefined || expiraAt === undefined || Date.parse(expireAt) === Date.parse(expiraAt);
  if (!isOne) throw wrong('/expiraAt', 'CONFLICT', 'differs from expireAt');
  if (expireAt !== undefined) return checkedExpiry(expireAt, now, '/expireAt');
  return expiraAt === undefined ? undefined : checkedExpiry(expiraAt, now, '/expiraAt');
}

export function checkedExpiry(text: string, now: Date, pointer = '/expireAt'): Date {
  const expireAt = new Date(text);
  if (expireAt <= now) throw wrong(pointer, 'MINIMUM', 'must be in the future');
  if (expireAt.getTime() > now.getTime() + LONGEST_LIFE_MS) {
    throw wrong(pointer, 'MAXIMUM', 'must be at most 180 days from now');
  }
  return expireAt;
}

function wrong(pointer: string, code: string, detail: string): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, { errors: [{ pointer, code, detail }] });
}
