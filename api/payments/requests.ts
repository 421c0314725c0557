/** Reads what all operations on payments share: the organisations of the caller, its work, numbers, amounts, addresses. */

import type { PaymentWork, Tenancy } from '../../activities/payments/payment-types.ts';
import { type AddressFault, findAddressFault } from '../../activities/shared/public-address.ts';
import type { InvoiceId, PaymentId, SettlementId, TransactionId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
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

const FAULTS: Readonly<Record<AddressFault | 'MALFORMED', string>> = {
  MALFORMED: 'is not a URL',
  NOT_HTTPS: 'must begin with https://',
  CREDENTIALS: 'must hold no user and password',
  FRAGMENT: 'must have no fragment',
  PRIVATE_ADDRESS: 'must be a public address',
};

/** Throws VALIDATION_FAILED with every fault. `openAddresses`: in development. */
export function checkAddresses(addresses: Readonly<Record<string, string | undefined>>, openAddresses: boolean): void {
  const errors = Object.entries(addresses).flatMap(([member, text]) => {
    const fault = text === undefined ? undefined : faultOf(text, openAddresses);
    return fault ? [{ pointer: `/${member}`, code: fault, detail: FAULTS[fault] }] : [];
  });
  if (errors.length === 0) return;
  throw new ServiceError('VALIDATION_FAILED', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), {
    errors,
  });
}

function faultOf(text: string, openAddresses: boolean): AddressFault | 'MALFORMED' | undefined {
  return URL.canParse(text) ? findAddressFault(new URL(text), openAddresses) : 'MALFORMED';
}
