/**
 * The role of the queue `sales-documents`. It signs tickets, stores their PDFs, sends the mails of tickets and receipts, and
 * takes up what a crash has left. Caller: workers/, by the manifest. Scale by adding processes.
 */
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { RECEIPTS_WORK } from '../shared/receipts-work.ts';

export const ticketsRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async (base) => {
    const receipts = await base.interfaces.get(RECEIPTS_WORK).create(base);
    return {
      activities: { ...receipts.activities },
      repeated: [...(receipts.repeated ?? [])],
      ...(receipts.stop && { stop: receipts.stop }),
    };
  },
};
