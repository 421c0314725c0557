/** What a command makes of an order, in the words of the table of states. */
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { Try } from '../../rules/order-commands.ts';
import type { OrderInState } from './order-states.ts';

/** `same`; the code of a refusal; else status and version after the command. */
export function outcomeOf(command: Try, { order, now }: OrderInState): string {
  try {
    const change = command(order, now);
    if (change.order === order) return 'same';
    return `${change.order.status} ${change.order.version}`;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
