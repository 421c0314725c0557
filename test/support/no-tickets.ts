/** For orders whose tickets nobody has issued: there is nothing to disable. */
import type { WithdrawnTickets } from '../../activities/orders/withdrawing.ts';

export function noTickets(): WithdrawnTickets {
  return { disable: async () => [], restore: async () => undefined };
}
