/** Composes payments for the API process. Callers: api/server.ts, by the area's name; tests. */
import { CreditSearch } from '../../activities/payments/credit-search.ts';
import { CreditStore } from '../../activities/payments/credit-store.ts';
import { InvoiceStore } from '../../activities/payments/invoice-store.ts';
import { OrderNotes } from '../../activities/payments/order-notes.ts';
import { measureReturnedMoney } from '../../activities/payments/payment-metrics.ts';
import { PaymentSearch } from '../../activities/payments/payment-search.ts';
import { PaymentStore } from '../../activities/payments/payment-store.ts';
import { makePayments, type PaymentsParts } from '../../activities/payments/payments-parts.ts';
import { openProviders, providersShape } from '../../activities/payments/provider/providers.ts';
import { simulatorShape } from '../../activities/payments/provider/simulator-config.ts';
import { stripeShape } from '../../activities/payments/provider/stripe/stripe-config.ts';
import { ProviderReports } from '../../activities/payments/provider-reports.ts';
import { ReportIntake } from '../../activities/payments/report-intake.ts';
import { CUSTOMERS } from '../../activities/shared/customers.ts';
import { ORDER_MONEY, ORDER_PENALTIES, ORDERS } from '../../activities/shared/orders.ts';
import type { StoreBase } from '../../platform/area.ts';
import type { Interfaces } from '../../platform/interfaces.ts';
import { openSubjectKeys, subjectKeysShape } from '../../platform/personal/subject-keys-config.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import type { ProviderCallbackDependencies } from './provider-callbacks.ts';
import { createPaymentsArea } from './routes.ts';

const NO_PROVIDER = 'PAYMENT_PROVIDERS names no payment provider: only payments that are book entries are taken';

export async function composePayments(
  base: StoreBase & { readonly interfaces: Interfaces },
  { workflows: calls, needless, money }: Pick<PaymentsParts, 'workflows' | 'needless' | 'money'>,
  callbacks: ProviderCallbackDependencies,
  now: () => Date = () => new Date(),
): Promise<PaymentsDependencies> {
  const { mongo: connection, eventEnvironment: environment, log, interfaces } = base;
  const credits = new CreditStore({ connection, now });
  return {
    payments: new PaymentStore({ connection, environment, now }),
    search: new PaymentSearch(connection),
    credits,
    creditResolving: {
      ...{ credits, money, workflows: calls, now },
      orders: () => interfaces.get(ORDERS),
      orderMoney: () => interfaces.get(ORDER_MONEY),
    },
    creditSearch: new CreditSearch(connection),
    notes: new OrderNotes({ connection, orders: () => interfaces.get(ORDER_MONEY), log, now }),
    orders: interfaces.get(ORDERS),
    invoices: new InvoiceStore(connection),
    orderMoney: interfaces.get(ORDER_MONEY),
    penalties: interfaces.get(ORDER_PENALTIES),
    customers: interfaces.get(CUSTOMERS),
    ...{ calls, needless, callbacks, log },
    usesProvider: (provider) => callbacks.providers.find(provider) !== undefined,
    keys: await openSubjectKeys(base),
    openAddresses: environment === 'dev',
    now,
  };
}

export const composition: AreaComposition = {
  config: { ...subjectKeysShape, ...providersShape, ...simulatorShape, ...stripeShape },
  compose: async (base) => {
    const { payments, credits, notes, workflows, needless, money } = makePayments(base);
    const onTrouble = measureReturnedMoney(base.registry);
    const reports = new ProviderReports(base.mongo);
    const intake = new ReportIntake({ payments, credits, notes, workflows, reports, log: base.log, onTrouble });
    const callbacks = { providers: await openProviders(base), intake };
    if (callbacks.providers.list().length === 0) base.log.warn(NO_PROVIDER);
    return { area: createPaymentsArea(await composePayments(base, { workflows, needless, money }, callbacks)) };
  },
};
