/**
 * The role of the queue `sales-payments`: moves money by the payment providers, tells clients and orders what became of it, and
 * wakes what a crash has left. Caller: workers/, by the manifest. Scale by adding processes.
 */
import { randomUUID } from 'node:crypto';
import type { RoleCode, WorkerBase, WorkerPart } from '../../platform/area.ts';
import { openSubjectKeys } from '../../platform/personal/subject-keys-config.ts';
import { COMPENSATIONS } from '../shared/compensations.ts';
import { ORDER_MONEY, ORDER_PENALTIES, ORDERS } from '../shared/orders.ts';
import { PAGE_LINKS } from '../shared/page-links.ts';
import { CallbackRequests } from './callback-requests.ts';
import { createCaptureActivities } from './capture/capture-activities.ts';
import { PAYMENTS_WORKER } from './capture/capture-context.ts';
import { ClientCallbacks } from './client-callbacks.ts';
import { createCreditActivities } from './credit/credit-activities.ts';
import { InvoiceStore } from './invoice-store.ts';
import { endLostClaims } from './lost-claims.ts';
import { PaymentFigures } from './payment-figures.ts';
import { PaymentMetrics } from './payment-metrics.ts';
import { PaymentSweeps } from './payment-sweeps.ts';
import { paymentsSettingShape } from './payments-config.ts';
import { makePayments } from './payments-parts.ts';
import { observed } from './provider/observed-provider.ts';
import { openProviders } from './provider/providers.ts';

const SWEEP_EVERY_MS = 5_000;
const SEND_EVERY_MS = 1_000;
const WAKE_EVERY_MS = 30_000;
const COUNT_EVERY_MS = 15_000;
const CLAIMS_EVERY_MS = 3_600_000;

const NO_PROVIDER = 'PAYMENT_PROVIDERS names no payment provider: payments are book entries alone';

export const paymentsRole: RoleCode<WorkerBase, WorkerPart> = {
  create: async (base) => {
    const { mongo: connection, eventEnvironment, log, interfaces, registry, readConfig } = base;
    const setting = readConfig(paymentsSettingShape);
    const { payments, credits, notes, workflows, needless, money } = makePayments(base);
    const opened = await openProviders(base);
    if (opened.list().length === 0) log.warn(NO_PROVIDER);
    const metrics = new PaymentMetrics(
      registry,
      opened.list().map(({ name }) => name),
    );
    const providers = opened.map((provider) => observed(provider, (call) => metrics.called(call)));
    const figures = new PaymentFigures(connection);
    const keys = await openSubjectKeys(base);
    const requests = new CallbackRequests({ open: eventEnvironment === 'dev' });
    const callbacks = new ClientCallbacks({
      ...{ connection, keys, requests, log },
      onOutcome: (outcome) => metrics.toldClient(outcome),
    });
    const access = { orders: () => interfaces.get(ORDER_MONEY), orderReads: () => interfaces.get(ORDERS) };
    const sweeps = new PaymentSweeps({ payments, credits, notes, workflows, ...access, log });
    const penalties = () => interfaces.get(ORDER_PENALTIES);
    const claims = { payments, notes, penalties, log, invoices: new InvoiceStore(connection) };
    const ending = new AbortController();
    const shared = { payments, notes, providers, log };
    return {
      activities: {
        ...createCaptureActivities({
          ...shared,
          ...{ credits, callbacks, needless },
          keys,
          sessions: { publicUrl: setting.PAYMENT_CALLBACK_URL.replace(/\/+$/, '') },
          pageLinks: () => interfaces.get(PAGE_LINKS),
          compensations: () => interfaces.get(COMPENSATIONS),
          ...access,
        }),
        ...createCreditActivities({ ...shared, ...access, credits, money, onEnded: (part) => metrics.credited(part) }),
      },
      activitiesPerSecond: setting.PAYMENT_STEPS_PER_SECOND,
      repeated: [
        {
          name: 'order-notes',
          everyMs: SWEEP_EVERY_MS,
          run: () => notes.sweep({ correlationId: randomUUID(), clientId: PAYMENTS_WORKER }),
        },
        { name: 'client-callbacks', everyMs: SEND_EVERY_MS, run: () => callbacks.sendDue(ending.signal) },
        { name: 'credits', everyMs: SWEEP_EVERY_MS, run: () => sweeps.startCredits() },
        { name: 'payments-counted', everyMs: COUNT_EVERY_MS, run: () => metrics.count(figures) },
        { name: 'lost-captures', everyMs: WAKE_EVERY_MS, run: () => sweeps.wakeCaptures() },
        { name: 'lost-claims', everyMs: CLAIMS_EVERY_MS, run: () => endLostClaims(claims) },
        { name: 'lost-imports', everyMs: WAKE_EVERY_MS, run: () => sweeps.finishImports() },
      ],
      stop: [async () => ending.abort(), async () => requests.close()],
    };
  },
};
