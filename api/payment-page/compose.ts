/** Composes payment pages for the API process. Caller: api/server.ts, by the area's name. */

import { PageStore } from '../../activities/payment-page/page-store.ts';
import { PageTokens } from '../../activities/payment-page/page-tokens.ts';
import { CATALOGUE } from '../../activities/shared/catalogue.ts';
import { CUSTOMERS } from '../../activities/shared/customers.ts';
import { ORDER_MONEY, ORDERS } from '../../activities/shared/orders.ts';
import { paymentPageShape } from '../../activities/shared/page-links.ts';
import { PAGE_PAYMENTS } from '../../activities/shared/payments.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createPaymentPageArea } from './routes.ts';

export const composition: AreaComposition = {
  config: paymentPageShape,
  compose: ({ mongo: connection, interfaces, temporal, readConfig }) => {
    const config = readConfig(paymentPageShape);
    const area = createPaymentPageArea({
      pages: new PageStore({ connection }),
      tokens: new PageTokens(config.PAYMENT_PAGE_KEYS, config.PAYMENT_PAGE_URL),
      temporal,
      orders: interfaces.get(ORDERS),
      money: () => interfaces.get(ORDER_MONEY),
      customers: interfaces.get(CUSTOMERS),
      catalogue: interfaces.get(CATALOGUE),
      usesProvider: (provider) => interfaces.get(PAGE_PAYMENTS).usesProvider(provider),
    });
    return { area };
  },
};
