/**
 * Makes the documents of an order: tickets with their PDFs, and the plan of their mails. Each step finds what an earlier run has
 * made. Caller: the activities.
 */
import type { Logger } from '../../../platform/log.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { isUnderRefund } from '../../../workflows/orders/rules/refunding.ts';
import type { CustomerNumber, OrderId, PaymentPageId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { TextLanguage } from '../../../workflows/shared/text.ts';
import type {
  DocumentActivities,
  DocumentRefusal,
  IssueInput,
  IssueStep,
} from '../../../workflows/tickets/activities.ts';
import { type ReissueInput, reissueWorkflowId } from '../../../workflows/tickets/messages.ts';
import { afterRefusal } from '../../../workflows/tickets/rules/held-lines.ts';
import type { Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { isLive } from '../../../workflows/tickets/rules/ticket-states.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import type { OrderAccess } from '../../shared/orders.ts';
import type { MailingStore } from '../mailing-store.ts';
import { type MovedStartOrders, reportMovedStart } from '../report-moved-start.ts';
import type { Issued, TicketIssuer } from '../ticket-issuer.ts';
import type { TicketPdfs } from '../ticket-pdfs.ts';
import type { TicketStore } from '../ticket-store.ts';
import type { StoredGroup, TicketWork } from '../ticket-types.ts';
import { refusalOf, refusalOfLines } from './document-refusal.ts';
import type { MailingPlanner, SoldBy } from './mailing-planner.ts';

export interface DocumentsOptions {
  readonly issuer: Pick<TicketIssuer, 'issue' | 'sign'>;
  readonly tickets: Pick<TicketStore, 'get' | 'listOfOrder'>;
  readonly pdfs: Pick<TicketPdfs, 'store'>;
  readonly mailings: Pick<MailingStore, 'get' | 'change' | 'create' | 'release'>;
  readonly planner: MailingPlanner;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly use: () => MovedStartOrders;
  readonly customers: Pick<CustomerReader, 'listWithEmail'>;
  readonly log: Logger;
  /** Tickets of an order that does not add up were not signed. */
  readonly onRefused?: () => void;
}

/** Named by the writes of this worker. */
export const DOCUMENTS_WORKER = 'sales-documents-worker';

export class Documents implements DocumentActivities {
  readonly #options: DocumentsOptions;

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  async issueDocuments(input: IssueInput): Promise<IssueStep> {
    const { organisationId, orderId, mailing: id } = input;
    let mailing: Mailing | undefined;
    let page = {};
    let order: Order | undefined;
    try {
      mailing = id === undefined ? undefined : await this.#options.mailings.get(organisationId, id);
      order = await this.#options.orders.get(organisationId, orderId);
      page = pageOf(order, mailing);
      const refusal = await this.#issue(input, order, mailing);
      return { ...page, ...(refusal && { refusal }) };
    } catch (error) {
      return { ...(await this.#refuse(error, orderId, mailing, order)), ...page };
    }
  }

  async issueSuccessors(input: ReissueInput): Promise<IssueStep> {
    const { mailings, orders, tickets } = this.#options;
    const { organisationId, orderId, groupId, number, correlationId } = input;
    const work = { correlationId, clientId: DOCUMENTS_WORKER };
    let mailing: Mailing | undefined;
    try {
      const { group } = await tickets.get(organisationId, groupId);
      await reportMovedStart(this.#options.use(), group, work);
      const id = reissueWorkflowId(input);
      const { orderVersion, orderLineId } = group;
      const wish = { kind: 'REISSUED', groupId, number } as const;
      const place = { organisationId, orderId, orderVersion };
      mailing = await mailings.create({ id, ...place, workflow: id, wish, correlationId });
      const order = await orders.get(organisationId, orderId);
      // The provider of a refund may take days: the sweep starts the workflow again when it has ended.
      const isHeld = isUnderRefund(order, orderLineId);
      const groups = isHeld ? [] : [await this.#sign(input, work)];
      const underRefund = isHeld ? [orderLineId] : [];
      await this.#plan(mailing, order, { orderVersion, groups, underRefund, unmade: [] }, work);
      return {};
    } catch (error) {
      return await this.#refuse(error, orderId, mailing);
    }
  }

  async #sign({ organisationId, groupId }: ReissueInput, work: TicketWork): Promise<StoredGroup> {
    const { issuer, pdfs, tickets } = this.#options;
    await pdfs.store(shownOf(await issuer.sign(organisationId, groupId, work)));
    return await tickets.get(organisationId, groupId);
  }

  /** Answers why a call does not get what it has asked for; what a mailing lacks is sent later. */
  async #issue(
    { orderLineIds, language, correlationId }: IssueInput,
    order: Order,
    mailing: Mailing | undefined,
  ): Promise<DocumentRefusal | undefined> {
    const { issuer } = this.#options;
    const work = { correlationId, clientId: DOCUMENTS_WORKER };
    const sentBy = mailing && (await this.#isToSend(mailing, order)) ? mailing.id : undefined;
    const place = { organisationId: order.organisationId, orderId: order.id };
    const issued = await issuer.issue(place, { sentBy, ...(orderLineIds && { orderLineIds }) }, work);
    const isDrawn = await this.#draw(order.id, issued.groups, language);
    if (!mailing) return refusalOfLines(issued, { isDrawn, areNamed: orderLineIds !== undefined });
    await this.#plan(mailing, order, issued, work);
    return undefined;
  }

  /** What a mail lacks then, it draws itself. */
  async #draw(orderId: OrderId, groups: readonly StoredGroup[], language: TextLanguage | undefined): Promise<boolean> {
    try {
      await this.#options.pdfs.store(groups.flatMap(shownOf), language);
      return true;
    } catch (err) {
      this.#options.log.warn({ orderId, err }, 'a PDF of a ticket could not be stored');
      return false;
    }
  }

  /** Everybody is reached, as far as that is known before there are tickets. */
  async #isToSend(mailing: Mailing, order: Order): Promise<boolean> {
    const { wish } = mailing;
    // It sends what is there.
    if (wish.kind === 'RESTORED') return false;
    // The mailing of that version may send them.
    if ((order.confirmed?.version ?? 0) > mailing.orderVersion) return false;
    if (!(await this.#options.planner.isMailed(mailing, soldBy(order, mailing)))) return false;
    if (wish.kind === 'ASKED' && wish.isGiven) return true;
    const owner = ownerOf(order);
    if (owner === undefined) return false;
    return (await this.#options.customers.listWithEmail(order.organisationId, [owner])).has(owner);
  }

  async #plan(
    mailing: Mailing,
    order: Order,
    { orderVersion, groups, underRefund, unmade }: Issued,
    work: TicketWork,
  ): Promise<void> {
    const { planner, orders, mailings } = this.#options;
    const lines = { orderVersion, groups: groups.map(({ group }) => group), underRefund, unmade };
    const { organisationId, id } = order;
    // Another version may have been confirmed since the order was read.
    const sold = orderVersion > mailing.orderVersion ? await orders.get(organisationId, id) : order;
    const context = { ...lines, ...soldBy(order, mailing), soldNow: soldBy(sold) };
    const { held = [] } = await planner.plan(mailing, context, work);
    if (held.length === 0) return;
    // A refund that has ended since the order was read has found nothing held.
    const now = await orders.get(organisationId, id);
    const free = held.filter((line) => !unmade.includes(line) && !isUnderRefund(now, line));
    if (free.length > 0) await mailings.release(organisationId, id, free);
  }

  /** No ticket is sent of what trying again cannot make; money has a receipt all the same. Throws what trying again may cure. */
  async #refuse(error: unknown, orderId: OrderId, mailing?: Mailing, order?: Order): Promise<IssueStep> {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const { faults, ...told } = refusal;
    if (!(error instanceof ServiceError)) {
      this.#options.log.error(
        { orderId, faults },
        'tickets are not signed: the order does not add up, or fits no barcode',
      );
      this.#options.onRefused?.();
    }
    if (mailing) {
      const { mailings, planner } = this.#options;
      const receipt = order && (await planner.receiptOf(mailing, soldBy(order, mailing)));
      await mailings.change(mailing.organisationId, mailing.id, (before) => afterRefusal(before, faults, receipt));
    }
    return { refusal: told };
  }
}

function ownerOf({ contact, createdBy }: Order): CustomerNumber | undefined {
  return contact ?? createdBy;
}

function shownOf({ group }: StoredGroup) {
  return group.ticketDistributions.filter(isLive).map((ticket) => ({ group, ticket }));
}

/** Where it was sold, and paid. */
function soldBy(order: Order, mailing?: Mailing): SoldBy {
  return { distributionChannelId: order.distributionChannelId, ...pageOf(order, mailing) };
}

/** That of the first plan: a later draft of the order may have another one, or none. */
function pageOf(order: Order, mailing?: Mailing): { readonly paymentPageId?: PaymentPageId } {
  const paymentPageId = mailing?.paymentPageId ?? (order.paymentPageId as PaymentPageId | undefined);
  return paymentPageId ? { paymentPageId } : {};
}
