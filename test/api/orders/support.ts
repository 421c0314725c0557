/**
 * Orders, offers, seats and customers on one real server with real databases, selling the small market. Tokens are plain
 * `client/organisation/scopes`.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { SETTLEMENTS_COLLECTION } from '../../../activities/books/settlement-document.ts';
import { SettlementStore } from '../../../activities/books/settlement-store.ts';
import { CatalogueFares } from '../../../activities/catalogue/catalogue-fares.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { ExistingCustomers } from '../../../activities/customers/existing-customers.ts';
import { ProfileStore } from '../../../activities/customers/profile-store.ts';
import { SearchKeys } from '../../../activities/customers/search-keys.ts';
import { KeptEventStore } from '../../../activities/events/kept-event-store.ts';
import { OFFERS_COLLECTION } from '../../../activities/offers/offer-document.ts';
import { OfferSearches } from '../../../activities/offers/offer-search.ts';
import { OfferStore } from '../../../activities/offers/offer-store.ts';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import { ORDER_VERSIONS, ORDERS_COLLECTION } from '../../../activities/orders/order-document.ts';
import { OrderSearch } from '../../../activities/orders/order-search.ts';
import { OrderStore } from '../../../activities/orders/order-store.ts';
import { ArrangementSearch } from '../../../activities/seating/arrangement-search.ts';
import { JourneySeats } from '../../../activities/seating/journey-seats.ts';
import { CarriageSeatKeeper } from '../../../activities/seating/seat-keeper.ts';
import { ARRANGEMENTS, CARRIAGES } from '../../../activities/seating/seating-model.ts';
import type { SeatKeeper } from '../../../activities/shared/seating.ts';
import { createOffersArea } from '../../../api/offers/routes.ts';
import type { OrdersDependencies } from '../../../api/orders/dependencies.ts';
import { createReservingArea } from '../../../api/orders/reserving.ts';
import { createOrdersArea } from '../../../api/orders/routes.ts';
import { createSeatingArea } from '../../../api/seating/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { AnswerSeal } from '../../../platform/personal/answer-seal.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { CustomerNumber, OrganisationId } from '../../../workflows/shared/ids.ts';
import { noTickets } from '../../support/no-tickets.ts';
import { useMongo } from '../../support/stack.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';
import { MARKET, TIMETABLE_READER } from './small-market.ts';

const SCOPES = 'offers:search,orders:read,orders:write';
export const OWN = `web/1/${SCOPES}`;
export const OTHER = `other/2/${SCOPES}`;
export const OPERATOR = `operator/1/${SCOPES},organisation:any`;
export const PRICING = `desk/1/${SCOPES},orders:price`;

export interface OrdersServer {
  readonly url: string;
  readonly connection: Connection;
  readonly dependencies: OrdersDependencies;
  readonly keys: SubjectKeys;
  /** Wraps the seat keeper that reserving asks; tests make it slow or let it fail. */
  seating: (keeper: SeatKeeper) => Pick<SeatKeeper, 'hold' | 'giveBack'>;
  readonly keeper: SeatKeeper;
  /** The clock of orders; undefined is the real time. */
  now: Date | undefined;
  /** Shorter than in the service. */
  budgetMs: number | undefined;
  call(path: string, options?: CallOptions): Promise<Answer>;
  createCustomer(organisationId?: number): Promise<CustomerNumber>;
  /** Of a customer that `createCustomer` has made. */
  emailOf(customerNumber: CustomerNumber): string;
  close(): Promise<void>;
}

export async function startOrders(): Promise<OrdersServer> {
  const mongo = await useMongo();
  const name = `orders-api-${randomUUID().slice(0, 8)}`;
  const [connection, keysConnection] = await Promise.all([
    connectMongo(mongo.uri(name)),
    connectMongo(mongo.uri(`${name}-keys`)),
  ]);
  const masterKeys = parseKeyRing(`test:${randomBytes(32).toString('base64')}`, 'CUSTOMER_MASTER_KEYS');
  const keys = new SubjectKeys({ connection: keysConnection, masterKeys });
  const state: Pick<OrdersServer, 'now' | 'seating' | 'budgetMs'> = {
    now: undefined,
    seating: (keeper) => keeper,
    budgetMs: undefined,
  };
  const now = () => state.now ?? new Date();
  const catalogue = new CatalogueStore(connection);
  await catalogue.replace(MARKET);
  const fares = new CatalogueFares(catalogue);
  const keeper: CarriageSeatKeeper = new CarriageSeatKeeper({
    ...{ connection, now, fares: () => fares, timetable: () => TIMETABLE_READER },
    orders: () => new OrderAccessor({ orders, seats: () => keeper, fares: () => fares, now }),
  });
  const storeOptions = { connection, environment: 'dev', keys, log: silentLog, now } as const;
  const orders = new OrderStore({ ...storeOptions, seats: () => keeper });
  const offers = new OfferStore(connection, now);
  const customers = new ExistingCustomers(connection, now);
  const seating: Pick<SeatKeeper, 'hold' | 'giveBack'> = {
    hold: async (call) => await state.seating(keeper).hold(call),
    giveBack: async (...given) => await state.seating(keeper).giveBack(...given),
  };
  const dependencies: OrdersDependencies = {
    ...{ orders, customers, catalogue, fares, timetable: TIMETABLE_READER, now },
    payments: () => undefined,
    tickets: noTickets,
    refunds: () => undefined,
    search: new OrderSearch(storeOptions),
    history: new KeptEventStore(connection),
    reserving: {
      ...{ orders, offers, seating, fares, customers, now },
      get budgetMs() {
        return state.budgetMs;
      },
    },
  };
  const idempotency = keyedRequests(connection);
  const settlements = new SettlementStore({ connection, environment: 'dev', now });
  const profiles = new ProfileStore({
    connection,
    keys,
    searchKeys: new SearchKeys(randomBytes(32)),
    environment: 'dev',
  });
  await Promise.all([
    idempotency.store.ensureIndexes(),
    profiles.ensureIndexes(),
    ...[SETTLEMENTS_COLLECTION, ORDERS_COLLECTION, ORDER_VERSIONS, OFFERS_COLLECTION, CARRIAGES, ARRANGEMENTS].map(
      (each) => each.ensureIndexes(connection),
    ),
  ]);
  const searches = new OfferSearches({ timetable: TIMETABLE_READER, fares, seating: keeper, offers, now });
  const access = () => new OrderAccessor({ orders, seats: () => keeper, fares: () => fares, now });
  const app = createApp({
    areas: [
      createOrdersArea(dependencies),
      createReservingArea(dependencies),
      createOffersArea({ catalogue, searches, offers }),
      createSeatingArea({
        arrangements: new ArrangementSearch({ connection, orders: access }),
        journeySeats: new JourneySeats({ connection, timetable: TIMETABLE_READER, fares }),
        orders: access,
      }),
    ],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency,
    answerSeal: new AnswerSeal(keys),
    findChannel: async (id) => await catalogue.findChannel(id),
    findSettlement: async (organisation, id) => await settlements.findOpen(organisation, id),
  });
  const emails = new Map<CustomerNumber, string>();
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  return Object.assign(state, {
    url: server.url,
    ...{ connection, dependencies, keys, keeper },
    call: (path: string, options: CallOptions = {}) => send(`${server.url}${path}`, { token: OWN, ...options }),
    createCustomer: async (organisationId = 1) => {
      const email = `${randomUUID()}@example.no`;
      const profile = await profiles.create(
        {
          ...{ firstName: 'Kari', surname: 'Nordmann', email, profileType: 'PERMANENT' },
          ...{ languagePreference: 'nob', organisationId: organisationId as OrganisationId },
          ...{ createdBy: 'test', createdByChannel: 'TST:DistributionChannel:App' },
        },
        {
          ...{ workId: randomUUID(), correlationId: randomUUID(), organisationId: organisationId as OrganisationId },
        },
      );
      emails.set(profile.customerNumber, email);
      return profile.customerNumber;
    },
    emailOf: (customerNumber: CustomerNumber) => emails.get(customerNumber) ?? '',
    close: async () => {
      await server.close();
      await Promise.all([connection.dropDatabase(), keysConnection.dropDatabase()]);
      await Promise.all([connection.close(), keysConnection.close()]);
    },
  });
}
