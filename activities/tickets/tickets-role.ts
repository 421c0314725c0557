/**
 * The role of the queue `sales-documents`. It signs tickets, stores their PDFs, sends the mails of tickets and receipts, and
 * takes up what a crash has left. Caller: workers/, by the manifest. Scale by adding processes.
 */
import type { ReadConfig, RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { environmentShape } from '../../platform/config.ts';
import { MAILS_AT_ONCE } from '../shared/documents-capacity.ts';
import { MailSlots } from '../shared/mail-slots.ts';
import { RECEIPTS_WORK } from '../shared/receipts-work.ts';
import { createDeliveryWork } from './delivery/delivery-work.ts';
import { openTicketSigning } from './signing/open-ticket-signing.ts';
import { checkSigningConfig, signingShape } from './signing/signing-config.ts';

const readSigningConfig = (readConfig: ReadConfig) => readConfig({ ...environmentShape, ...signingShape });

export const ticketsRole: RoleCode<WorkerBase, WorkerPart> = {
  checkConfig: (readConfig) => checkSigningConfig(readSigningConfig(readConfig)),
  create: async (base) => {
    const { mongo, registry, log, readConfig } = base;
    const signing = await openTicketSigning({ config: readSigningConfig(readConfig), mongo, registry, log });
    const slots = new MailSlots({ atOnce: MAILS_AT_ONCE });
    const deliveries = await createDeliveryWork(base, { signer: signing.signer, slots });
    const receipts = await base.interfaces.get(RECEIPTS_WORK).create(base, slots);
    return {
      activities: { ...deliveries.activities, ...receipts.activities },
      repeated: [...signing.repeated, ...(deliveries.repeated ?? []), ...(receipts.repeated ?? [])],
      stop: [signing.stop, ...(deliveries.stop ?? []), ...(receipts.stop ?? [])],
    };
  },
};
