/** What other areas tell a payment page, also after it has ended. Provided by the area of the pages. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrderId, OrganisationId, PaymentPageId } from '../../workflows/shared/ids.ts';
import type { SettledCapture } from '../../workflows/shared/payment-page-signals.ts';

export interface ToldPage {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly pageId: PaymentPageId;
}

export interface PageNews {
  /** Repeatable. A page that is gone ignores it. */
  tellSettled(page: ToldPage, settled: SettledCapture): Promise<void>;
  /** It is paid, and has ended without its tickets or receipt: they could not be sent, or nobody has said that they were. */
  lacksDelivery(page: ToldPage): Promise<boolean>;
  /** All was sent after all. Repeatable. */
  tellDelivered(page: ToldPage): Promise<void>;
}

export const PAGE_NEWS = interfaceKey<PageNews>('page-news');
