/** Finds tickets that are still valid for what was refunded. Used while refunds run, and at the end. */
import type { Connection } from 'mongoose';
import { CREDITS_COLLECTION } from '../../activities/payments/credit-document.ts';
import { REFUNDS_COLLECTION, type RefundDocument } from '../../activities/refunds/refund-document.ts';
import { TICKET_GROUPS } from '../../activities/tickets/ticket-group-document.ts';
import type { PlannedOperation } from '../../workflows/refunds/rules/refund.ts';
import type { OrderLineId } from '../../workflows/shared/ids.ts';
import type { Distribution } from '../../workflows/tickets/rules/ticket-group.ts';
import { isLive } from '../../workflows/tickets/rules/ticket-states.ts';

/** Of refunds of which some money was paid back. Nobody can travel on a ticket that was never signed: it has no barcode. */
export async function findValidTickets(
  connection: Connection,
  refunds: readonly Pick<RefundDocument, '_id' | 'operations'>[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { _id, operations } of refunds) {
    for (const operation of operations) {
      const tickets = await listTickets(connection, operation.orderLineId);
      const valid = tickets.filter((ticket) => isLive(ticket) && ticket.signed && covers(ticket, operation));
      faults.push(...valid.map(({ id }) => `the ticket ${id} is valid for what the refund ${_id} paid back`));
    }
  }
  return faults;
}

export async function listTickets(connection: Connection, orderLineId: OrderLineId): Promise<readonly Distribution[]> {
  const groups = await TICKET_GROUPS.open(connection).find({ orderLineId }).toArray();
  return groups.flatMap(({ ticketDistributions }) => ticketDistributions);
}

/** The refund that the credit belongs to; it may not be noted in the refund yet. */
export async function findRefundOfKey(connection: Connection, key: string): Promise<RefundDocument | undefined> {
  const [, creditId] = key.split('-');
  const credit = await CREDITS_COLLECTION.open(connection).findOne({ _id: creditId ?? '' });
  if (credit?.reason !== 'REFUND') return undefined;
  const refunds = REFUNDS_COLLECTION.open(connection);
  const noted = await refunds.findOne({ creditId: credit.creditId });
  return noted ?? (await refunds.findOne({ orderId: credit.orderId, isRunning: true })) ?? undefined;
}

function covers({ legs, travellers }: Distribution, { legIds, travellerIds }: PlannedOperation): boolean {
  if (legIds && !legs.some(({ legId }) => legIds.includes(legId))) return false;
  return !travellerIds || travellers.some(({ travellerId }) => travellerIds.includes(travellerId));
}
