/**
 * Writes down the mails of a mailing: which tickets, and for whom. Tickets are DISTRIBUTING before their mails are written down, and
 * a plan is made once; lines that are held then get one of their own. Caller: documents.ts.
 */
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { CustomerNumber, PaymentPageId } from '../../../workflows/shared/ids.ts';
import { afterPlan, isToPlan, type Planned } from '../../../workflows/tickets/rules/held-lines.ts';
import { isBegunBy } from '../../../workflows/tickets/rules/mailing.ts';
import {
  type GivenReader,
  lostOf,
  type MailingPlan,
  mailedBefore,
  numbersOf,
  type PlanningFacts,
  planMails,
  takenOf,
} from '../../../workflows/tickets/rules/mailing-plan.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailedReceipt, Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import type { CatalogueReader } from '../../shared/catalogue.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import { openAddress } from '../mail-address.ts';
import type { MailingStore } from '../mailing-store.ts';
import type { TicketStore } from '../ticket-store.ts';
import type { TicketWork } from '../ticket-types.ts';
import { givenReader } from './given-reader.ts';
import { giveUp, isIn } from './given-up.ts';

export interface MailingPlannerOptions {
  readonly mailings: Pick<MailingStore, 'get' | 'change' | 'listOfOrder' | 'findAddress' | 'now'>;
  readonly keys: SubjectKeys;
  readonly tickets: Pick<TicketStore, 'beginMailing' | 'noteMailing' | 'isDone'>;
  readonly customers: Pick<CustomerReader, 'listWithEmail' | 'listReachable'>;
  readonly catalogue: Pick<CatalogueReader, 'findChannel'>;
}

/** Where it was sold, and paid. */
export interface SoldBy {
  readonly distributionChannelId: string;
  readonly paymentPageId?: PaymentPageId;
}

export interface PlanContext extends SoldBy, Pick<Planned, 'underRefund' | 'unmade'> {
  /** The version that the tickets are in step with. */
  readonly orderVersion: number;
  /** Where that version was sold, and paid. */
  readonly soldNow: SoldBy;
  /** Of the order, as they are now, without those of the lines that are held. */
  readonly groups: readonly TicketGroup[];
}

export class MailingPlanner {
  readonly #options: MailingPlannerOptions;

  constructor(options: MailingPlannerOptions) {
    this.#options = options;
  }

  /** Also of lines that were held before. Answers the mailing as it is then. */
  async plan(of: Mailing, context: PlanContext, work: TicketWork): Promise<Mailing> {
    if (!isToPlan(of)) return of;
    const { mailings } = this.#options;
    const isFirst = of.state === 'NEW';
    const groups = context.groups.filter(({ orderLineId }) => isFirst || of.held?.includes(orderLineId));
    const isMailed = await this.isMailed(of, context);
    const others = (await mailings.listOfOrder(of.organisationId, of.orderId)).filter(({ id }) => id !== of.id);
    const isFollowed = await this.#isFollowed(of, others, context);
    const facts = { ...(await this.#factsOf(of, others, groups)), isFollowed };
    const { mails, unaddressed: unreached } = isMailed ? await this.#begin(facts, others, of, work) : NO_PLAN;
    const unaddressed = await giveUp(this.#options.tickets, { unaddressed: unreached, groups, mailing: of }, work);
    const receipt = isFirst ? await this.receiptOf(of, context) : undefined;
    const { underRefund, unmade, paymentPageId } = context;
    const plan: Planned = { of, mails, unaddressed, receipt, paymentPageId, underRefund, unmade };
    return await mailings.change(of.organisationId, of.id, (before, now) => afterPlan(before, plan, now));
  }

  /**
   * A confirmation sends by itself where its channel says so, and always what was paid on a payment page. Everything else was asked
   * for. What it was once, it stays: a line that was held follows the others.
   */
  async isMailed(
    { wish, receipt }: Pick<Mailing, 'wish' | 'receipt'>,
    { distributionChannelId, paymentPageId }: SoldBy,
  ): Promise<boolean> {
    if (receipt) return receipt.isMailed;
    if (wish.kind !== 'CONFIRMED' || paymentPageId !== undefined) return true;
    return (await this.#options.catalogue.findChannel(distributionChannelId))?.autoDistribute ?? false;
  }

  /** Of a confirmation, whatever becomes of its tickets. */
  async receiptOf(mailing: Mailing, context: SoldBy): Promise<MailedReceipt | undefined> {
    if (mailing.wish.kind !== 'CONFIRMED') return undefined;
    return { isMailed: await this.isMailed(mailing, context), state: 'DUE', nextTryAt: this.#options.mailings.now() };
  }

  /**
   * A later version is confirmed, and its mailing sends by itself. That has a workflow of its own, which may plan at the same moment.
   * What it has planned says whether it sends; before, the order does, which may have another page by now, or none.
   */
  async #isFollowed(
    { wish, orderVersion }: Mailing,
    others: readonly Mailing[],
    context: PlanContext,
  ): Promise<boolean> {
    if (context.orderVersion <= orderVersion) return false;
    if (wish.kind !== 'CONFIRMED' && (wish.kind !== 'ASKED' || wish.isGiven)) return false;
    const next = others.find((each) => each.wish.kind === 'CONFIRMED' && each.orderVersion === context.orderVersion);
    return next?.receipt?.isMailed ?? (await this.isMailed({ wish: { kind: 'CONFIRMED' } }, context.soldNow));
  }

  async #factsOf(
    mailing: Mailing,
    others: readonly Mailing[],
    groups: readonly TicketGroup[],
  ): Promise<Omit<PlanningFacts, 'isFollowed' | 'taken'>> {
    const { mailings, customers } = this.#options;
    const { id, organisationId, wish } = mailing;
    const numbers = [...new Set(groups.flatMap(numbersOf))];
    const [reachable, given] = await Promise.all([
      customers.listWithEmail(organisationId, numbers),
      this.#givenOf(mailing, numbers),
    ]);
    return { id, wish, groups, reachable, ...mailedBefore(others, given), now: mailings.now() };
  }

  /** Undefined also after an erasure: its mails find no address. */
  async #givenOf(mailing: Mailing, numbers: readonly CustomerNumber[]): Promise<GivenReader | undefined> {
    const { mailings, customers, keys } = this.#options;
    const { id, organisationId, addressFingerprint: fingerprint } = mailing;
    const sealed = fingerprint === undefined ? undefined : await mailings.findAddress(organisationId, id);
    const email = sealed && (await openAddress(keys, mailing, sealed));
    if (fingerprint === undefined || email === undefined) return undefined;
    return await givenReader(customers, { organisationId, numbers, email, fingerprint });
  }

  /** Without tickets that another mailing has begun. New ones are begun by their first write: only others cost one. */
  async #begin(
    facts: Omit<PlanningFacts, 'taken'>,
    others: readonly Mailing[],
    { id: mailing, organisationId }: Mailing,
    work: TicketWork,
  ): Promise<MailingPlan> {
    const settled = new Set(others.filter((each) => !isToPlan(each)).map(({ id }) => id));
    const taken = takenOf(facts.groups, { mailing, settled });
    const wanted = planMails({ ...facts, taken }).mails.flatMap(({ tickets }) => tickets);
    const begun: TicketGroup[] = [];
    for (const { id, ticketDistributions } of facts.groups) {
      const ticketIds = ticketDistributions
        .filter((ticket) => isIn(wanted, ticket.id) && !isBegunBy(ticket, mailing))
        .map((ticket) => ticket.id);
      if (ticketIds.length === 0) continue;
      const beginning = { ticketIds, mailing, settled, wish: facts.wish };
      begun.push((await this.#options.tickets.beginMailing(organisationId, id, beginning, work)).group);
    }
    // Others may have been first since the groups were read.
    return planMails({ ...facts, taken: new Set([...taken, ...lostOf(begun, { mailing, settled }, facts.wish)]) });
  }
}

const NO_PLAN: MailingPlan = { mails: [], unaddressed: [] };
