/**
 * What other workflows tell the workflow of a payment page. The area `payment-page` handles them; workflow code of one
 * area imports nothing from another.
 */
import { defineSignal } from '@temporalio/workflow';
import type { PaymentId, PaymentPageId, TransactionId } from './ids.ts';

export interface SettledCapture {
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  /**
   * CONFIRMED: captured, and the order is confirmed. CREDITED: captured, but the order cannot be confirmed, so the money
   * was paid back. CREDIT_OUTSTANDING: it could not be paid back, and an operator is asked. ENDED: refused, cancelled or given
   * up; nothing was taken. RETRY: a soft decline; the customer goes to the terminal again.
   */
  readonly outcome: 'CONFIRMED' | 'CREDITED' | 'CREDIT_OUTSTANDING' | 'ENDED' | 'RETRY';
  /** Of ENDED, for the customer: by the issuer, or by the customer at the provider. */
  readonly endedBy?: 'REFUSAL' | 'CUSTOMER';
}

export const captureSettledSignal = defineSignal<[SettledCapture]>('captureSettled');
/** Tickets and receipt of the order were sent, or cannot be. */
export interface SettledDelivery {
  readonly delivered: boolean;
  /** With `delivered`: nobody has an address, so nothing was to be sent. */
  readonly isUnaddressed?: true;
}

export const deliverySettledSignal = defineSignal<[SettledDelivery]>('deliverySettled');

export function paymentPageWorkflowId(pageId: PaymentPageId): string {
  return `payment-page/${pageId}`;
}
