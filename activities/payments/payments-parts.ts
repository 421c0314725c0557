/** Makes the stores of payments, and what they offer to other areas. Callers: the manifest, the role, the API's composition. */
import type { ProcessBase } from '../../platform/area.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { CATALOGUE } from '../shared/catalogue.ts';
import { COMPENSATIONS } from '../shared/compensations.ts';
import { CUSTOMERS } from '../shared/customers.ts';
import { ORDER_PAYMENTS } from '../shared/order-payments.ts';
import { ORDER_MONEY, ORDERS } from '../shared/orders.ts';
import { PAYMENT_BOOKS } from '../shared/payment-books.ts';
import { PAGE_PAYMENTS } from '../shared/payments.ts';
import { REFUND_MONEY } from '../shared/refund-money.ts';
import { SETTLED_MONEY } from '../shared/settlements.ts';
import { VERSION_MONEY } from '../shared/version-money.ts';
import { CreditStore } from './credit-store.ts';
import { NeedlessTransactions } from './needless-transactions.ts';
import { OrderNotes } from './order-notes.ts';
import { PaymentsOfOrders } from './order-payments.ts';
import { PaymentsOfPages } from './page-payments.ts';
import { ProviderBooks } from './payment-books.ts';
import { PaymentStore } from './payment-store.ts';
import { PaymentWorkflows } from './payment-workflows.ts';
import type { ProviderBase } from './provider/provider-base.ts';
import { openProviders, providersShape } from './provider/providers.ts';
import { RefundedMoney } from './refund-money.ts';
import { PaidVersions } from './version-money.ts';

export type PaymentsBase = Pick<ProcessBase, 'mongo' | 'eventEnvironment' | 'log' | 'interfaces' | 'temporal'>;

export interface PaymentsParts {
  readonly payments: PaymentStore;
  readonly credits: CreditStore;
  readonly notes: OrderNotes;
  readonly workflows: PaymentWorkflows;
  readonly needless: NeedlessTransactions;
  readonly money: RefundedMoney;
}

export function makePayments({ mongo, eventEnvironment, log, interfaces, temporal }: PaymentsBase): PaymentsParts {
  const connected = (): TemporalClient => {
    if (!temporal) throw new Error('This process has no connection to Temporal, and a payment needs its workflow');
    return temporal;
  };
  const payments = new PaymentStore({ connection: mongo, environment: eventEnvironment });
  const credits = new CreditStore({ connection: mongo });
  const notes = new OrderNotes({ connection: mongo, orders: () => interfaces.get(ORDER_MONEY), log });
  const orders = () => interfaces.get(ORDERS);
  const workflows = new PaymentWorkflows({ temporal: connected, payments, notes, orders });
  const needless = new NeedlessTransactions({ payments, workflows, log });
  const money = new RefundedMoney({ payments, credits, notes, orders, workflows });
  return { payments, credits, notes, workflows, needless, money };
}

export function providePayments(base: PaymentsBase & ProviderBase, interfaces: Interfaces): void {
  const { payments, credits, notes, workflows, needless, money } = makePayments({ ...base, interfaces });
  interfaces.provide(SETTLED_MONEY, payments);
  interfaces.provide(VERSION_MONEY, new PaidVersions({ payments, credits }));
  const openOwn = async () => await openProviders(base);
  interfaces.provide(PAYMENT_BOOKS, new ProviderBooks({ payments, workflows, openProviders: openOwn }));
  const orders = () => interfaces.get(ORDERS);
  const shared = { payments, notes, orders, calls: workflows };
  const channels = () => interfaces.get(CATALOGUE);
  const compensations = () => interfaces.get(COMPENSATIONS);
  const ofOrders = { ...shared, credits, workflows, needless, channels, compensations };
  interfaces.provide(ORDER_PAYMENTS, new PaymentsOfOrders(ofOrders));
  interfaces.provide(REFUND_MONEY, money);
  const usesProvider = (name: string) => base.readConfig(providersShape).PAYMENT_PROVIDERS.includes(name);
  const customers = () => interfaces.get(CUSTOMERS);
  interfaces.provide(
    PAGE_PAYMENTS,
    new PaymentsOfPages({
      ...shared,
      catalogue: channels,
      customers,
      usesProvider,
      look: workflows.look.bind(workflows),
    }),
  );
}
