/**
 * What a call to send tickets would send: the plan of its mails, over the tickets as they will be once they are made. Caller:
 * delivery-workflows.ts.
 */
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { TicketDistributionId } from '../../../workflows/shared/ids.ts';
import { type MailingPlan, mailedBefore, numbersOf, planMails } from '../../../workflows/tickets/rules/mailing-plan.ts';
import { newGroup, reconcile } from '../../../workflows/tickets/rules/reconciliation.ts';
import { type KeyValidity, unsignedOf } from '../../../workflows/tickets/rules/signing.ts';
import { hasEffect } from '../../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailingWish } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import type { MailingStore } from '../mailing-store.ts';
import type { TicketKeyStore } from '../signing/ticket-key-store.ts';
import { soldOf } from '../sold-now.ts';
import type { TicketStore } from '../ticket-store.ts';
import { givenReader, type ReadersAsked } from './given-reader.ts';

export interface AskedPlanReads {
  readonly tickets: Pick<TicketStore, 'listOfOrder' | 'now'>;
  readonly mailings: Pick<MailingStore, 'listOfOrder'>;
  readonly signingKeys: Pick<TicketKeyStore, 'list'>;
  readonly customers: () => Pick<CustomerReader, 'listWithEmail' | 'listReachable'>;
}

export interface AskedPlan extends Pick<MailingPlan, 'unaddressed'> {
  /** Nothing is to be made, nor sent. */
  readonly isDone: boolean;
}

export interface Asked {
  readonly wish: MailingWish;
  /** The address that the call has named. */
  readonly given?: Pick<ReadersAsked, 'email' | 'fingerprint'>;
}

export async function planAsked(reads: AskedPlanReads, order: Order, { wish, given }: Asked): Promise<AskedPlan> {
  const { tickets, mailings, signingKeys, customers } = reads;
  const { organisationId, id: orderId } = order;
  const [stored, others, keys] = await Promise.all([
    tickets.listOfOrder(organisationId, orderId),
    mailings.listOfOrder(organisationId, orderId),
    signingKeys.list(),
  ]);
  const { groups, isMade } = groupsToBe(
    order,
    stored.map(({ group }) => group),
    keys,
    tickets.now,
  );
  const numbers = [...new Set(groups.flatMap(numbersOf))];
  const reachable = await customers().listWithEmail(organisationId, numbers);
  const reader = given && (await givenReader(customers(), { organisationId, numbers, ...given }));
  const facts = { wish, groups, reachable, ...mailedBefore(others, reader), now: tickets.now };
  const { mails, unaddressed } = planMails(facts);
  return { unaddressed, isDone: isMade && mails.length === 0 && unaddressed.length === 0 };
}

/** As the documents worker will make them, with numbers that no ticket has. */
function groupsToBe(order: Order, groups: readonly TicketGroup[], keys: readonly KeyValidity[], now: Date) {
  const sold = soldOf(order, []);
  const made = { sold, status: 'GENERATED', newId: (at: number) => (-1 - at) as TicketDistributionId } as const;
  const changed = groups.map((group) => ({ group, change: reconcile(group, { ...made, keys }, now) }));
  const missing = sold.version.orderLines.filter(
    ({ id, status }) => status === 'CONFIRMED' && groups.every(({ orderLineId }) => orderLineId !== id),
  );
  const isMade =
    missing.length === 0 &&
    changed.every(({ group, change }) => !hasEffect(group, change) && unsignedOf(group).length === 0);
  const added = missing.map((line, at) => newGroup((-1 - at) as TicketGroup['id'], line, made, now));
  return { groups: [...changed.map(({ change }) => change), ...added].map(({ group }) => group), isMade };
}
