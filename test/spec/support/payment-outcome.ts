/** What a command makes of a payment, in the words of the table of states. */
import type { Payment } from '../../../workflows/payments/rules/payment.ts';
import { statusOf } from '../../../workflows/payments/rules/summary.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Try } from '../../rules/payment-commands.ts';
import { theTransaction } from '../../support/sample-payments.ts';

/**
 * `same`; the code of a refusal; else the status of the transaction, the call that is written down for the provider, and the
 * status of the payment.
 */
export function outcomeOf(command: Try, payment: Payment, now: Date): string {
  try {
    const change = command(payment, now);
    if (change.payment === payment) return 'same';
    const { status, intent } = theTransaction(change.payment);
    return [status, ...(intent ? [`+${intent.kind}`] : []), statusOf(change.payment)].join(' ');
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
