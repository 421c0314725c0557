/** What a command on a payment answers, and how several commands become one change. Pure. */
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-events.ts';

export interface PaymentChange {
  readonly payment: Payment;
  readonly events: readonly PaymentEvent[];
}

/**
 * A command on an existing payment. It refuses by throwing a ServiceError; without an effect it answers the same payment.
 * What reports an outcome never refuses: repeated, or come too late, it has no effect.
 */
export type PaymentCommand<Command> = (payment: Payment, command: Command, now: Date) => PaymentChange;

export function unchanged(payment: Payment): PaymentChange {
  return { payment, events: [] };
}

export function hasEffect(before: Payment, { payment, events }: PaymentChange): boolean {
  return payment !== before || events.length > 0;
}

/** Several commands as one write: each sees what those before it have made. */
export function combine(payment: Payment, steps: readonly ((payment: Payment) => PaymentChange)[]): PaymentChange {
  let current = payment;
  const events: PaymentEvent[] = [];
  for (const step of steps) {
    const change = step(current);
    current = change.payment;
    events.push(...change.events);
  }
  return { payment: current, events };
}
