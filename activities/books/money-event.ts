/** Events of payments as the log has them, read as those that move money. Pure. */
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { MoneyEvent } from '../../workflows/payments/rules/payment-events.ts';

const MONEY_TYPES: readonly MoneyEvent['type'][] = [
  ...(['TransactionCaptured', 'CreditExecuted', 'CreditFailed', 'CreditSettled', 'CreditPaidTwice'] as const),
  ...(['TransactionDisputed', 'TransactionDisputeWon'] as const),
];

/** Undefined for an event that moves none. */
export function moneyEventOf(logged: OutboxEvent): (MoneyEvent & { readonly logged: OutboxEvent }) | undefined {
  const type = MONEY_TYPES.find((each) => logged.type.endsWith(`.${each}.v1`));
  if (!type) return undefined;
  const { meta: _meta, ...data } = logged.data;
  return { ...data, type, logged } as unknown as MoneyEvent & { readonly logged: OutboxEvent };
}
