/**
 * The part of refunds in the orders worker: both write orders, and need the same rights. Provided by the refunds area; the role
 * is in the manifest of orders.
 */
import type { WorkerBase, WorkerPart } from '../../platform/area.ts';
import { interfaceKey } from '../../platform/interfaces.ts';

export interface RefundsWork {
  /** Its activities and repeated tasks. Called once. */
  create(base: WorkerBase): Promise<WorkerPart>;
}

export const REFUNDS_WORK = interfaceKey<RefundsWork>('refunds-work');
