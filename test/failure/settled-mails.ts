/**
 * Waits until nothing of a service can send a mail of an order any more: no mail is written down that is to be sent or tried again,
 * and every workflow that sends some has ended. Used where mails are counted.
 */
import type { Connection } from 'mongoose';
import { RECEIPT_DOCUMENTS } from '../../activities/receipts/receipt-document.ts';
import { TICKET_MAILS } from '../../activities/tickets/mail-document.ts';
import { TICKET_GROUPS } from '../../activities/tickets/ticket-group-document.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const SENDERS = ['capture', 'delivery', 'reissue', 'receipt', 'refund'];
const RUNNING = `ExecutionStatus = "Running" AND WorkflowType IN (${SENDERS.map((name) => `"${name}"`).join(', ')})`;
const PENDING: { readonly pendingStart: true } = { pendingStart: true };
const EXISTS = { $exists: true };
/** A lost workflow is started again after minutes; a mail is tried again after one. */
const SETTLED_WITHIN_MS = 400_000;

export async function untilMailsSettled(
  service: Pick<Service, 'mongoUri' | 'temporalAddress' | 'payloadKeys'>,
): Promise<void> {
  const temporal = new TemporalClient({
    TEMPORAL_ADDRESS: service.temporalAddress,
    TEMPORAL_NAMESPACE: 'default',
    PAYLOAD_KEYS: service.payloadKeys,
  });
  const connection = await connectMongo(service.mongoUri);
  try {
    const { workflow } = temporal.client;
    // The documents first: what they no longer want starts no workflow.
    const isSettled = async () => (await wantedMails(connection)) === 0 && (await workflow.count(RUNNING)).count === 0;
    await until(isSettled, { what: 'the end of all mails', timeoutMs: SETTLED_WITHIN_MS });
  } finally {
    await Promise.all([connection.close(), temporal.close()]);
  }
}

/** How many mailings are yet to be planned, sent or tried again. */
async function wantedMails(connection: Connection): Promise<number> {
  const counts = await Promise.all([
    TICKET_GROUPS.open(connection).countDocuments(PENDING),
    TICKET_MAILS.open(connection).countDocuments({ $or: [PENDING, { dueAt: EXISTS }] }),
    RECEIPT_DOCUMENTS.open(connection).countDocuments({ $or: [PENDING, { mailDueAt: EXISTS }] }),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}
