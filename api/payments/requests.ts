/** Reads what all operations on payments share: the organisations of the caller, its work, numbers. */

import type { PaymentWork, Tenancy } from '../../activities/payments/payment-types.ts';
import type { InvoiceId, PaymentId, SettlementId, TransactionId } from '../../workflows/shared/ids.ts';
import type { Caller, OperationContext } from '../shared/operation.ts';

const EVERY_ORGANISATION = 'organisation:any';

export function tenancyOf({ scopes, organisationId }: Caller): Tenancy {
  return scopes.has(EVERY_ORGANISATION) ? 'ANY' : organisationId;
}

/** A settlement counts money of its own organisation alone, which is the caller's. */
export function ownerOf({ caller, settlementId }: Omit<PaymentRequest, 'path'>): Tenancy {
  return settlementId === undefined ? tenancyOf(caller) : caller.organisationId;
}

export type WriteRequest = Pick<OperationContext, 'correlationId' | 'idempotency'> & { readonly caller: Caller };

export async function workOf({ idempotency, correlationId, caller }: WriteRequest): Promise<PaymentWork> {
  const { workId } = await idempotency.claim();
  return { workId, correlationId, clientId: caller.clientId };
}

/** The payment that a path names, and its caller. */
export interface PaymentRequest {
  readonly path: { readonly paymentId: string };
  readonly caller: Caller;
  readonly settlementId?: SettlementId | undefined;
}

export interface TransactionRequest extends PaymentRequest {
  readonly path: { readonly paymentId: string; readonly transactionId: string };
}

export interface CreditRequest {
  readonly path: { readonly creditId: string };
  readonly caller: Caller;
}

export interface InvoiceRequest {
  readonly path: { readonly invoiceId: InvoiceId };
  readonly caller: Caller;
}

/** Tenancy and id: the first arguments of the store's methods. */
export function targetOf({ path, ...request }: PaymentRequest): readonly [Tenancy, PaymentId] {
  return [ownerOf(request), Number(path.paymentId) as PaymentId];
}

export function transactionIdOf({ path }: TransactionRequest): TransactionId {
  return Number(path.transactionId) as TransactionId;
}
