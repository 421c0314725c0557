/**
 * Makes the parts of receipts, and what they offer to other areas. Callers: the manifest, the API's composition. Drawing, keys
 * and the mail server are opened with their first use: most processes that read this list need none of them.
 */
import type { ProcessBase, WorkerBase } from '../../platform/area.ts';
import { environmentShape } from '../../platform/config.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import { mailShape } from '../../platform/mail/mail-config.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { MailResult } from '../../workflows/receipts/rules/mailing.ts';
import { CATALOGUE } from '../shared/catalogue.ts';
import { CUSTOMERS, type CustomerReader } from '../shared/customers.ts';
import { type DeliveredReceipts, RECEIPTS } from '../shared/receipts.ts';
import { RECEIPTS_WORK } from '../shared/receipts-work.ts';
import { SOLD_ORDERS } from '../shared/sold-orders.ts';
import { VERSION_MONEY } from '../shared/version-money.ts';
import { createReceiptActivities } from './receipt-activities.ts';
import { ReceiptIssuing } from './receipt-issuing.ts';
import { ReceiptMails } from './receipt-mails.ts';
import { ReceiptMetrics } from './receipt-metrics.ts';
import type { ReceiptRenderer } from './receipt-renderer.ts';
import { startReceipt } from './receipt-start.ts';
import { ReceiptStore } from './receipt-store.ts';
import { sweepLateReceipts, sweepPendingReceipts } from './receipt-sweeps.ts';

const PENDING_EVERY_MS = 5_000;
const LATE_EVERY_MS = 60_000;

/** The drawing takes fonts into memory. */
export const RENDERER: ReceiptRenderer = {
  pdf: async (receipt, shown) => await (await import('./pdf/receipt-pdf.ts')).renderReceipt(receipt, shown),
  mail: async (receipt, shown) => (await import('./pdf/receipt-mail.ts')).renderReceiptMail(receipt, shown),
};

type PartsBase = Pick<ProcessBase, 'mongo'> & { readonly interfaces: Interfaces };

export function makeReceipts({ mongo: connection, interfaces }: PartsBase) {
  const receipts = new ReceiptStore({ connection });
  const issuing = new ReceiptIssuing({
    receipts,
    sold: () => interfaces.get(SOLD_ORDERS),
    money: () => interfaces.get(VERSION_MONEY),
    catalogue: () => interfaces.get(CATALOGUE),
    customers: () => interfaces.get(CUSTOMERS),
  });
  return { receipts, issuing };
}

export function provideReceipts(base: ProcessBase, interfaces: Interfaces): void {
  const { receipts, issuing } = makeReceipts({ mongo: base.mongo, interfaces });
  const customers = () => interfaces.get(CUSTOMERS);
  let mailer: Promise<Mailer> | undefined;
  let onResult: (result: MailResult['kind']) => void = () => {};
  const mails = new ReceiptMails({
    ...{ receipts, customers, renderer: RENDERER },
    openKeys: keysOf(base),
    openMailer: () => (mailer ??= openMailer(base)),
    onResult: (result) => onResult(result),
  });
  interfaces.provide(RECEIPTS, deliveredReceipts({ issuing, mails, customers }));
  interfaces.provide(RECEIPTS_WORK, {
    create: async (worker, slots) => {
      const metrics = new ReceiptMetrics(worker.registry);
      onResult = (result) => metrics.tried(result);
      const stop = [async () => await (await mailer)?.close()];
      const activities = createReceiptActivities(mails, slots);
      return { activities, repeated: sweepsOf(worker, receipts, metrics), stop };
    },
  });
}

export function deliveredReceipts({
  issuing,
  mails,
  customers,
}: {
  readonly issuing: Pick<ReceiptIssuing, 'issue'>;
  readonly mails: Pick<ReceiptMails, 'sendToContact'>;
  readonly customers: () => Pick<CustomerReader, 'listWithEmail'>;
}): DeliveredReceipts {
  return {
    issue: async ({ organisationId, orderId, orderVersion }, { correlationId }) => {
      const issued = await issuing.issue({ tenancy: organisationId, orderId, orderVersion }, { correlationId });
      if (!issued) return undefined;
      const { receipt, contact } = issued;
      const reached = contact === undefined ? undefined : await customers().listWithEmail(organisationId, [contact]);
      return { reference: receipt.reference, isAddressed: (reached?.size ?? 0) > 0 };
    },
    send: async (organisationId, reference) => await mails.sendToContact(organisationId, reference),
  };
}

function sweepsOf({ temporal, log }: WorkerBase, receipts: ReceiptStore, metrics: ReceiptMetrics) {
  const start = async (wanted: Parameters<typeof startReceipt>[1]) => await startReceipt(temporal, wanted);
  const sweep = { receipts, start, log, onLate: (late: number) => metrics.late(late) };
  return [
    { name: 'pending-receipts', everyMs: PENDING_EVERY_MS, run: () => sweepPendingReceipts(sweep) },
    { name: 'late-receipts', everyMs: LATE_EVERY_MS, run: () => sweepLateReceipts(sweep) },
  ];
}

async function openMailer({ readConfig }: Pick<ProcessBase, 'readConfig'>): Promise<Mailer> {
  const { openMailer: open } = await import('../../platform/mail/smtp-mailer.ts');
  const { ENVIRONMENT, ...config } = readConfig({ ...mailShape, ENVIRONMENT: environmentShape.ENVIRONMENT });
  return open({ ...config, ENVIRONMENT });
}

function keysOf(base: Pick<ProcessBase, 'readConfig' | 'connectKeys'>): () => Promise<SubjectKeys> {
  return async () => {
    const { openSubjectKeys } = await import('../../platform/personal/subject-keys-config.ts');
    return await openSubjectKeys(base);
  };
}
