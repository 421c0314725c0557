/**
 * Tells a payment page that has ended without its tickets that all of them, and the receipt, were sent after all: by a call, or as new
 * tickets after a change. A page that still waits is told by the workflow. Caller: mail-sender.ts.
 */
import type { OrderId, OrganisationId, PaymentPageId } from '../../../workflows/shared/ids.ts';
import { isAllSent } from '../../../workflows/tickets/rules/sent-in-the-end.ts';
import type { OrderAccess } from '../../shared/orders.ts';
import type { PageNews } from '../../shared/page-news.ts';
import type { MailingStore } from '../mailing-store.ts';
import type { TicketStore } from '../ticket-store.ts';

export interface LateDeliveryOptions {
  readonly mailings: Pick<MailingStore, 'listOfOrder'>;
  readonly tickets: Pick<TicketStore, 'listOfOrder'>;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly pages: () => Pick<PageNews, 'lacksDelivery' | 'tellDelivered'>;
}

interface PaidOrder {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
}

export class LateDelivery {
  readonly #options: LateDeliveryOptions;

  constructor(options: LateDeliveryOptions) {
    this.#options = options;
  }

  /** Repeatable. For most orders it reads the page alone. */
  async tell({ organisationId, orderId }: PaidOrder, pageId: PaymentPageId): Promise<void> {
    const { mailings, tickets, orders } = this.#options;
    const pages = this.#options.pages();
    const page = { organisationId, orderId, pageId };
    if (!(await pages.lacksDelivery(page))) return;
    const all = await mailings.listOfOrder(organisationId, orderId);
    const groups = (await tickets.listOfOrder(organisationId, orderId)).map(({ group }) => group);
    const ofPage = all.filter(({ paymentPageId }) => paymentPageId === pageId);
    const { confirmed } = await orders.get(organisationId, orderId);
    if (isAllSent(ofPage, groups, confirmed?.orderLines ?? [])) await pages.tellDelivered(page);
  }
}
