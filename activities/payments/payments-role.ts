/**
 * The role `sales-payments-worker`: tells orders of payments where a crash has left that out. Caller: workers/, by the
 * manifest. Scale by adding processes.
 */
import { randomUUID } from 'node:crypto';
import type { ProcessBase, RoleCode, TaskPart } from '../../platform/area.ts';
import { ORDER_MONEY } from '../shared/orders.ts';
import { OrderNotes } from './order-notes.ts';

const SWEEP_EVERY_MS = 5_000;
export const PAYMENTS_WORKER = 'sales-payments-worker';

export const paymentsRole: RoleCode<ProcessBase, TaskPart> = {
  create: async ({ mongo, log, interfaces }) => {
    const notes = new OrderNotes({ connection: mongo, orders: () => interfaces.get(ORDER_MONEY), log });
    const sweepNotes = () => notes.sweep({ correlationId: randomUUID(), clientId: PAYMENTS_WORKER });
    return { repeated: [{ name: 'order-notes', everyMs: SWEEP_EVERY_MS, run: sweepNotes }] };
  },
};
