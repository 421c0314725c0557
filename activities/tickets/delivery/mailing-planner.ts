/**
 * Writes down the mails of a mailing: which tickets, and for whom. Tickets are DISTRIBUTING before their mails are written down, and
 * a plan is made once. Caller: documents.ts.
 */
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { CustomerNumber, PaymentPageId } from '../../../workflows/shared/ids.ts';
import {
  type GivenReader,
  mailedBefore,
  numbersOf,
  type PlanningFacts,
  planMails,
} from '../../../workflows/tickets/rules/mailing-plan.ts';
import { dueAt } from '../../../workflows/tickets/rules/mailing-steps.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailedReceipt, MailedTicket, Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
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

export interface PlanContext {
  /** Of the order, as they are now. */
  readonly groups: readonly TicketGroup[];
  readonly distributionChannelId: string;
  readonly paymentPageId?: PaymentPageId;
}

export class MailingPlanner {
  readonly #options: MailingPlannerOptions;

  constructor(options: MailingPlannerOptions) {
    this.#options = options;
  }

  async plan(mailing: Mailing, context: PlanContext, work: TicketWork): Promise<void> {
    if (mailing.state !== 'NEW') return;
    const { mailings } = this.#options;
    const isMailed = await this.isMailed(mailing, context);
    const facts = await this.#factsOf(mailing, context);
    const { mails, unaddressed } = isMailed ? planMails(facts) : { mails: [], unaddressed: [] };
    await this.#begin(
      mails.flatMap(({ tickets }) => tickets),
      context.groups,
      mailing,
      work,
    );
    const givenUp = await giveUp(this.#options.tickets, { unaddressed, groups: context.groups, mailing }, work);
    const receipt = await this.receiptOf(mailing, context);
    await mailings.change(mailing.organisationId, mailing.id, (before) => {
      if (before.state !== 'NEW') return before;
      const planned = { ...before, mails, unaddressed: givenUp, ...(receipt && { receipt }) };
      const { paymentPageId } = context;
      const state = dueAt(planned) === undefined ? 'DONE' : 'OPEN';
      return { ...planned, state, ...(paymentPageId !== undefined && { paymentPageId }) };
    });
  }

  /**
   * A confirmation sends by itself where its channel says so, and always what was paid on a payment page. Everything else was asked
   * for.
   */
  async isMailed(
    { wish }: Pick<Mailing, 'wish'>,
    { distributionChannelId, paymentPageId }: Omit<PlanContext, 'groups'>,
  ): Promise<boolean> {
    if (wish.kind !== 'CONFIRMED' || paymentPageId !== undefined) return true;
    return (await this.#options.catalogue.findChannel(distributionChannelId))?.autoDistribute ?? false;
  }

  /** Of a confirmation, whatever becomes of its tickets. */
  async receiptOf(mailing: Mailing, context: Omit<PlanContext, 'groups'>): Promise<MailedReceipt | undefined> {
    if (mailing.wish.kind !== 'CONFIRMED') return undefined;
    return { isMailed: await this.isMailed(mailing, context), state: 'DUE', nextTryAt: this.#options.mailings.now() };
  }

  async #factsOf(mailing: Mailing, { groups }: PlanContext): Promise<PlanningFacts> {
    const { mailings, customers } = this.#options;
    const { id, organisationId, orderId, wish } = mailing;
    const numbers = [...new Set(groups.flatMap(numbersOf))];
    const [reachable, all, given] = await Promise.all([
      customers.listWithEmail(organisationId, numbers),
      mailings.listOfOrder(organisationId, orderId),
      this.#givenOf(mailing, numbers),
    ]);
    const others = all.filter((other) => other.id !== id);
    return { wish, groups, reachable, ...mailedBefore(others, given), now: mailings.now() };
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

  /** New tickets are DISTRIBUTING from their first write: only others cost one. */
  async #begin(
    wanted: readonly MailedTicket[],
    groups: readonly TicketGroup[],
    { organisationId }: Mailing,
    work: TicketWork,
  ): Promise<void> {
    for (const { id, ticketDistributions } of groups) {
      const ids = ticketDistributions
        .filter(({ id: ticketId, status }) => status !== 'DISTRIBUTING' && isIn(wanted, ticketId))
        .map((ticket) => ticket.id);
      if (ids.length > 0) await this.#options.tickets.beginMailing(organisationId, id, ids, work);
    }
  }
}
