/** Names the worker as the one who writes, where no caller has asked for the change. */
import { randomUUID } from 'node:crypto';
import type { ChangeWork } from './order-types.ts';

export const ORDERS_WORKER = 'sales-orders-worker';

/** For changes that remove their own condition, so that they need no work id. */
export function workOfProcess(clientId = ORDERS_WORKER): ChangeWork {
  return { correlationId: randomUUID(), clientId };
}
