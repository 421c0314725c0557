/**
 * Payment pages on one real server with real databases and Temporal, beside real orders. Payments are played. Tokens are
 * plain `client/organisation/scopes`.
 */
import '../../support/quiet-temporal.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { EMPTY_CATALOGUE } from '../../../activities/catalogue/catalogue-content.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { ExistingCustomers } from '../../../activities/customers/existing-customers.ts';
import { ProfileStore } from '../../../activities/customers/profile-store.ts';
import { SearchKeys } from '../../../activities/customers/search-keys.ts';
import { PaymentPages } from '../../../activities/payment-page/payment-pages.ts';
import { createPaymentPageArea } from '../../../api/payment-page/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import { setContactInfo } from '../../../workflows/orders/rules/facts.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { PAYMENT_PAGES_QUEUE } from '../../../workflows/payment-page/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../../workflows/shared/ids.ts';
import { CHANNEL, PageFixture } from '../../activities/payment-page/page-fixture.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { useTemporal } from '../../support/stack.ts';
import { PAYLOAD_KEYS } from '../../workflows/payload-keys.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

const SCOPES = 'payment-page:read,payment-page:write';
export const OWN = `desk/1/${SCOPES}`;
export const OTHER = `other/2/${SCOPES}`;
export const OPERATOR = `operator/1/${SCOPES},organisation:any`;
export const READER = 'reader/1/payment-page:read';
export const PATH = '/v1/payment-page-orchestrator/payment-page';
export const OTHER_CHANNEL = 'TST:DistributionChannel:Desk';

const ORGANISATIONS = [1, 2].map((id) => ({ id: id as OrganisationId, name: `Organisation ${id}` }));

export interface PagesServer {
  readonly url: string;
  readonly fixture: PageFixture;
  /** As the server of the pages has it. */
  readonly customerPages: PaymentPages;
  call(path: string, options?: CallOptions): Promise<Answer>;
  createCustomer(more?: { readonly email?: string }): Promise<CustomerNumber>;
  setContact(order: Order, contact: CustomerNumber): Promise<Order>;
  close(): Promise<void>;
}

export async function startPages(): Promise<PagesServer> {
  const name = `pages-api-${randomUUID().slice(0, 8)}`;
  const fixture = new PageFixture(name);
  await fixture.open();
  fixture.orders.now = new Date();
  const { connection, keys, access } = fixture.orders.here;
  const catalogue = new CatalogueStore(connection);
  const desk = { ...CHANNEL, id: OTHER_CHANNEL, paymentMethods: CHANNEL.paymentMethods.slice(1, 2) };
  await catalogue.replace({
    ...EMPTY_CATALOGUE,
    organisations: ORGANISATIONS,
    distributionChannels: [CHANNEL, desk],
  } as never);
  const customers = new ExistingCustomers(connection);
  const searchKeys = new SearchKeys(randomBytes(32));
  const profiles = new ProfileStore({ connection, keys, searchKeys, environment: 'dev' });
  const { address } = await useTemporal();
  const temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  const stopWorker = await startWorker(address, fixture);
  const idempotency = keyedRequests(connection);
  await Promise.all([idempotency.store.ensureIndexes(), profiles.ensureIndexes()]);
  const { tokens } = fixture;
  const { pages, money } = fixture.dependencies;
  const area = createPaymentPageArea({
    ...{ pages, tokens, temporal, orders: access, money, customers, catalogue },
    usesProvider: () => fixture.payments.usesProvider(),
  });
  const app = createApp({
    areas: [area],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency,
    findChannel: async (id) => await catalogue.findChannel(id),
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  const payments = () => fixture.payments;
  const customerPages = new PaymentPages({
    ...{ pages, tokens, temporal, payments, log: silentLog },
    ...{ orders: () => access, customers: () => customers, catalogue: () => catalogue },
  });
  return {
    url: server.url,
    ...{ fixture, customerPages },
    call: (path, options = {}) => send(`${server.url}${path}`, { token: OWN, ...options }),
    createCustomer: async ({ email } = {}) => {
      const content = {
        ...({ firstName: 'Kari', surname: 'Nordmann', profileType: 'TEMPORARY', languagePreference: 'nno' } as const),
        ...(email !== undefined && { email }),
        expirationDate: new Date(Date.now() + 86_400_000),
        organisationId: 1 as OrganisationId,
        ...{ createdBy: 'test', createdByChannel: 'TST:DistributionChannel:App' },
      };
      const work = { workId: randomUUID(), correlationId: randomUUID(), organisationId: 1 as OrganisationId };
      return (await profiles.create(content as never, work)).customerNumber;
    },
    setContact: async ({ id }, contact) =>
      (await fixture.orders.change(id, (before, now) => setContactInfo(before, { contact }, now))).order,
    close: async () => {
      await server.close();
      await stopWorker();
      await temporal.close();
      await connection.dropDatabase();
      await fixture.close();
    },
  };
}

async function startWorker(address: string, { activities }: PageFixture): Promise<() => Promise<void>> {
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    ...{ connection, activities, taskQueue: PAYMENT_PAGES_QUEUE },
    dataConverter: createDataConverter(PAYLOAD_KEYS),
    workflowBundle: { code: (await useWorkflowBundle()).code },
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}
