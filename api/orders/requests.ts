/** Reads what all operations on orders share: the organisations of the caller, its work, its condition. */

import type { Tenancy } from '../../activities/orders/order-types.ts';
import type { OrderWork } from '../../activities/shared/orders.ts';
import type { Fee } from '../../workflows/orders/rules/order.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { type RevisionCheck, revisionCheck } from '../shared/etags.ts';
import type { Caller, OperationContext } from '../shared/operation.ts';

const EVERY_ORGANISATION = 'organisation:any';
const FREE_PRICES = 'orders:price';

export function tenancyOf({ scopes, organisationId }: Caller): Tenancy {
  return scopes.has(EVERY_ORGANISATION) ? 'ANY' : organisationId;
}

/** Whether lines may have other prices than those of the catalogue. */
export function maySetPrices({ scopes }: Caller): boolean {
  return scopes.has(FREE_PRICES);
}

/** A reduction sells below the catalogue, as a lower price would. Throws INSUFFICIENT_SCOPE. */
export function assertMayReduce(caller: Caller, fees: readonly Pick<Fee, 'type'>[]): void {
  if (maySetPrices(caller) || !fees.some(({ type }) => type === 'REDUCTION')) return;
  throw new ServiceError('INSUFFICIENT_SCOPE', `A fee of the type REDUCTION needs the scope ${FREE_PRICES}.`);
}

/** A request that writes. */
export type WriteRequest = Pick<OperationContext, 'correlationId' | 'idempotency' | 'headers'> & {
  readonly caller: Caller;
};

export async function workOf({ idempotency, correlationId, caller }: WriteRequest): Promise<OrderWork> {
  const { workId } = await idempotency.claim();
  return { workId, correlationId, clientId: caller.clientId };
}

export function ifMatchOf({ headers }: Pick<WriteRequest, 'headers'>): RevisionCheck {
  return revisionCheck(headers['if-match']);
}

/** The order that a path names, and its caller. */
export interface OrderRequest {
  readonly path: { readonly orderId: OrderId };
  readonly caller: Caller;
}

/** Tenancy and id: the first arguments of the store's methods. */
export function targetOf({ path, caller }: OrderRequest): readonly [Tenancy, OrderId] {
  return [tenancyOf(caller), path.orderId];
}

export function posOf({ headers }: Pick<WriteRequest, 'headers'>): { readonly pos?: string } {
  const pos = headers['service-pos'];
  return pos === undefined || pos === '' ? {} : { pos };
}

/** `status` 422: the shape is right, what it says is not. */
export function invalidMember(pointer: string, code: string, detail: string, status?: 422): ServiceError {
  return new ServiceError('VALIDATION_FAILED', `${pointer} ${detail}.`, {
    errors: [{ pointer, code, detail }],
    ...(status && { status }),
  });
}
