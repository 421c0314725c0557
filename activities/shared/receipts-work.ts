/**
 * The part of receipts in the worker of tickets, receipts and mails: areas share it, so that one process holds the mail server's
 * login. Provided by the receipts area; the role is in the manifest of tickets.
 */
import type { WorkerBase, WorkerPart } from '../../platform/area.ts';
import { interfaceKey } from '../../platform/interfaces.ts';
import type { MailSlots } from './mail-slots.ts';

export interface ReceiptsWork {
  /** Its activities and repeated tasks. Called once. `slots`: those of the process. */
  create(base: WorkerBase, slots: MailSlots): Promise<WorkerPart>;
}

export const RECEIPTS_WORK = interfaceKey<ReceiptsWork>('receipts-work');
