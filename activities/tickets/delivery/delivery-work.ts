/** The part of deliveries in the documents worker: activities, and the sweeps after crashes. Caller: the role. */

import type { WorkerBase, WorkerPart } from '../../../platform/area.ts';
import { environmentShape } from '../../../platform/config.ts';
import { mailShape } from '../../../platform/mail/mail-config.ts';
import { openMailer } from '../../../platform/mail/smtp-mailer.ts';
import { openSubjectKeys } from '../../../platform/personal/subject-keys-config.ts';
import { CATALOGUE } from '../../shared/catalogue.ts';
import { CUSTOMERS } from '../../shared/customers.ts';
import type { MailSlots } from '../../shared/mail-slots.ts';
import { ORDER_USE, ORDERS } from '../../shared/orders.ts';
import { PAGE_NEWS } from '../../shared/page-news.ts';
import { RECEIPTS } from '../../shared/receipts.ts';
import { PendingReissues } from '../pending-reissues.ts';
import type { TicketSigner } from '../signing/ticket-signer.ts';
import { TicketValidations } from '../ticket-validations.ts';
import { UnreportedMoves } from '../unreported-moves.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { makeDelivery } from './delivery-parts.ts';
import { DeliverySweep } from './delivery-sweep.ts';
import { DOCUMENTS_WORKER } from './documents.ts';

/** A customer who has paid waits for the mail. */
const PENDING_EVERY_MS = 500;
const SWEEP_EVERY_MS = 5_000;
const LATE_EVERY_MS = 30_000;

export async function createDeliveryWork(
  base: WorkerBase,
  { signer, slots }: { readonly signer: TicketSigner; readonly slots: MailSlots },
): Promise<WorkerPart> {
  const { mongo: connection, eventEnvironment: environment, objects, temporal, interfaces, log, registry } = base;
  const mailer = openMailer(base.readConfig({ ...environmentShape, ...mailShape }));
  const metrics = new DeliveryMetrics(registry);
  const { tickets, mailings, activities } = makeDelivery({
    ...{ connection, environment, objects, signer, mailer, slots, metrics, log },
    keys: await openSubjectKeys(base),
    orders: interfaces.get(ORDERS),
    use: () => interfaces.get(ORDER_USE),
    customers: interfaces.get(CUSTOMERS),
    catalogue: interfaces.get(CATALOGUE),
    receipts: () => interfaces.get(RECEIPTS),
    pages: () => interfaces.get(PAGE_NEWS),
  });
  const reissues = new PendingReissues(connection);
  const onLate = (late: number) => metrics.late(late);
  const sweep = new DeliverySweep({ mailings, reissues, temporal, log, onLate });
  const orders = () => interfaces.get(ORDER_USE);
  const validations = new TicketValidations({ connection, store: tickets, orders });
  const moves = new UnreportedMoves({
    connection,
    store: tickets,
    orders: interfaces.get(ORDERS),
    use: orders,
    clientId: DOCUMENTS_WORKER,
  });
  return {
    activities,
    repeated: [
      { name: 'pending-deliveries', everyMs: PENDING_EVERY_MS, run: () => sweep.startPending() },
      { name: 'pending-reissues', everyMs: SWEEP_EVERY_MS, run: () => sweep.startReissues() },
      { name: 'late-mails', everyMs: LATE_EVERY_MS, run: () => sweep.startLate() },
      { name: 'unreported-moves', everyMs: LATE_EVERY_MS, run: () => moves.report() },
      { name: 'ticket-validations', everyMs: SWEEP_EVERY_MS, run: async () => void (await validations.sweep()) },
    ],
    stop: [() => mailer.close()],
  };
}
