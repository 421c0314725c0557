/**
 * What a call to send tickets would send: the plan of its mails, over the tickets as they will be once they are made. Caller:
 * delivery-workflows.ts.
 */
import type { Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import { isUnderRefund } from '../../../workflows/orders/rules/refunding.ts';
import type { OrderLineId, TicketDistributionId } from '../../../workflows/shared/ids.ts';
import { isToPlan } from '../../../workflows/tickets/rules/held-lines.ts';
import type { Sold } from '../../../workflows/tickets/rules/line-tickets.ts';
import {
  type MailingPlan,
  mailedBefore,
  numbersOf,
  planMails,
  takenOf,
} from '../../../workflows/tickets/rules/mailing-plan.ts';
import { newGroup, reconcile } from '../../../workflows/tickets/rules/reconciliation.ts';
import { type KeyValidity, unsignedOf } from '../../../workflows/tickets/rules/signing.ts';
import { hasEffect } from '../../../workflows/tickets/rules/ticket-change.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { Mailing, MailingWish } from '../../../workflows/tickets/rules/ticket-mailing.ts';
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
  /** Nothing is to be made, nor sent, as far as that can be done now. */
  readonly isDone: boolean;
  /** A refund runs of a line whose tickets it would send. */
  readonly isHeld: boolean;
}

export interface Asked {
  /** Its mailing, as a repeat of the call may find it. */
  readonly id: string;
  readonly wish: MailingWish;
  /** The address that the call has named. */
  readonly given?: Pick<ReadersAsked, 'email' | 'fingerprint'>;
}

export async function planAsked(reads: AskedPlanReads, order: Order, { id, wish, given }: Asked): Promise<AskedPlan> {
  const { tickets, mailings, signingKeys, customers } = reads;
  const { organisationId, id: orderId } = order;
  const [stored, others, keys] = await Promise.all([
    tickets.listOfOrder(organisationId, orderId),
    mailings.listOfOrder(organisationId, orderId),
    signingKeys.list(),
  ]);
  const sold = soldOf(order, []);
  const lines = sold.version.orderLines.filter(({ status }) => status === 'CONFIRMED');
  const held = lines.filter(({ id }) => isUnderRefund(order, id));
  // Another mailing sends them as soon as they can be signed.
  const unmade = wish.kind === 'ASKED' && !wish.resend ? unmadeLines(others, given?.fingerprint) : new Set();
  const free = lines.filter((line) => !held.includes(line) && !unmade.has(line.id));
  // Of cancelled lines too: their tickets are to be disabled.
  const found = stored
    .map(({ group }) => group)
    .filter(({ orderLineId }) => !lines.some(({ id }) => id === orderLineId && !free.some((each) => each.id === id)));
  const { groups, isMade } = groupsToBe(found, { lines: free, sold, keys }, tickets.now);
  const numbers = [...new Set(groups.flatMap(numbersOf))];
  const reachable = await customers().listWithEmail(organisationId, numbers);
  const reader = given && (await givenReader(customers(), { organisationId, numbers, ...given }));
  const settled = new Set(others.filter((each) => !isToPlan(each)).map((each) => each.id));
  const taken = takenOf(groups, { mailing: id, settled });
  const before = mailedBefore(others, reader);
  const facts = { id, wish, groups, isFollowed: false, taken, reachable, ...before, now: tickets.now };
  const { mails, unaddressed } = planMails(facts);
  return { unaddressed, isHeld: held.length > 0, isDone: isMade && mails.length === 0 && unaddressed.length === 0 };
}

/** Lines that a mailing to the same readers sends as soon as they can be signed. */
function unmadeLines(others: readonly Mailing[], fingerprint: string | undefined): ReadonlySet<OrderLineId> {
  // A confirmation may send nothing by itself.
  const sending = others.filter(({ receipt }) => receipt?.isMailed ?? true);
  const same = sending.filter((each) => each.addressFingerprint === fingerprint);
  return new Set(same.flatMap((each) => each.unmade ?? []));
}

interface ToBe {
  readonly lines: readonly OrderLine[];
  readonly sold: Sold;
  readonly keys: readonly KeyValidity[];
}

/** As the documents worker will make them, with numbers that no ticket has. */
function groupsToBe(groups: readonly TicketGroup[], { lines, sold, keys }: ToBe, now: Date) {
  const made = { sold, newId: (at: number) => (-1 - at) as TicketDistributionId };
  const changed = groups.map((group) => ({ group, change: reconcile(group, { ...made, keys }, now) }));
  const missing = lines.filter(({ id }) => groups.every(({ orderLineId }) => orderLineId !== id));
  const isMade =
    missing.length === 0 &&
    changed.every(({ group, change }) => !hasEffect(group, change) && unsignedOf(group).length === 0);
  const added = missing.map((line, at) => newGroup((-1 - at) as TicketGroup['id'], line, made, now));
  return { groups: [...changed.map(({ change }) => change), ...added].map(({ group }) => group), isMade };
}
