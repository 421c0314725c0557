/** What the operations of payment pages are made of. */
import type { PageStore } from '../../activities/payment-page/page-store.ts';
import type { PageTokens } from '../../activities/payment-page/page-tokens.ts';
import type { CatalogueReader } from '../../activities/shared/catalogue.ts';
import type { CustomerReader } from '../../activities/shared/customers.ts';
import type { OrderAccess, OrderMoneyAccess } from '../../activities/shared/orders.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';

export interface PaymentPageDependencies {
  readonly pages: PageStore;
  readonly tokens: PageTokens;
  readonly temporal: TemporalClient;
  readonly orders: Pick<OrderAccess, 'get'>;
  readonly money: () => OrderMoneyAccess;
  readonly customers: Pick<CustomerReader, 'listWithEmail'>;
  readonly catalogue: Pick<CatalogueReader, 'findChannel'>;
  /** Whether the configuration names the payment provider. Absent: nobody asked. */
  readonly usesProvider?: (provider: string) => boolean;
}
