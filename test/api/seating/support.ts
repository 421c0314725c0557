/**
 * The seating area on a real server, with a timetable of one line, its catalogue, and orders that hold its seats: all on
 * real databases.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CatalogueFares } from '../../../activities/catalogue/catalogue-fares.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import { ORDERS_COLLECTION } from '../../../activities/orders/order-document.ts';
import { OrderStore } from '../../../activities/orders/order-store.ts';
import { ArrangementSearch } from '../../../activities/seating/arrangement-search.ts';
import { JourneySeats } from '../../../activities/seating/journey-seats.ts';
import { CarriageSeatKeeper } from '../../../activities/seating/seat-keeper.ts';
import { ARRANGEMENTS, CARRIAGES } from '../../../activities/seating/seating-model.ts';
import { findRideCalls } from '../../../activities/shared/timetable.ts';
import { createSeatingArea } from '../../../api/seating/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import { serve } from '../../../api/shared/serve.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { createOrder } from '../../../workflows/orders/rules/creation.ts';
import { resetOrder } from '../../../workflows/orders/rules/endings.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { catalogue } from '../../activities/catalogue/support.ts';
import { carriage, NOW } from '../../activities/seating/support.ts';
import { PublishedRows } from '../../activities/timetable/reader/support.ts';
import { createNetwork } from '../../planner/support/network.ts';
import { settle } from '../../rules/order-commands.ts';
import { sampleOrder, sampleTraveller, seatedLine } from '../../support/sample-orders.ts';
import { useMongo } from '../../support/stack.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

export const JOURNEY = 'TST:ServiceJourney:1-1@2026-11-24';
const PLAN = { id: 'plan', carriages: [carriage('1', 3), carriage('2', 2, { fareClass: 'FIRST' })] };
const TRAIN = { id: 'train', seatPlanId: 'plan', seatReservation: 'COMPULSORY', lineIds: ['TST:Line:1'] } as const;

export interface SeatingServer {
  readonly url: string;
  readonly keeper: CarriageSeatKeeper;
  readonly orders: OrderStore;
  /** A draft with one seat from the first call to this one. */
  reserve(toStop: string, organisationId?: number): Promise<Order>;
  confirm(order: Order): Promise<Order>;
  reset(order: Order): Promise<Order>;
  /** That of holds, minutes later. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export async function startSeating(): Promise<SeatingServer> {
  const mongo = await useMongo();
  const name = `seating_api_${randomUUID().slice(0, 8)}`;
  const [connection, keysConnection] = [
    await connectMongo(mongo.uri(name)),
    await connectMongo(mongo.uri(`${name}-keys`)),
  ];
  const rows = await publishLine(connection);
  const store = new CatalogueStore(connection);
  await store.replace(catalogue({ seatPlans: [PLAN], trains: [TRAIN] }));
  const fares = new CatalogueFares(store);
  const now = () => NOW;
  const masterKeys = parseKeyRing(`m1:${randomBytes(32).toString('base64')}`, 'CUSTOMER_MASTER_KEYS');
  const keys = new SubjectKeys({ connection: keysConnection, masterKeys, now });
  await Promise.all([ARRANGEMENTS, CARRIAGES, ORDERS_COLLECTION].map((each) => each.ensureIndexes(connection)));
  await keys.ensureIndexes();
  const keeperAt = (time: () => Date) =>
    new CarriageSeatKeeper({
      connection,
      fares: () => fares,
      timetable: () => rows.reader,
      orders: () => access,
      now: time,
    });
  const keeper = keeperAt(now);
  const orders = new OrderStore({ connection, environment: 'dev', keys, log: silentLog, now, seats: () => keeper });
  const access = new OrderAccessor({ orders, seats: () => keeper, fares: () => fares, now });
  const app = createApp({
    areas: [
      createSeatingArea({
        arrangements: new ArrangementSearch({ connection, orders: () => access }),
        journeySeats: new JourneySeats({ connection, timetable: rows.reader, fares }),
        orders: () => access,
      }),
    ],
    log: silentLog,
    verifyToken: readPlainToken,
    idempotency: keyedRequests(connection),
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  const change = async ({ organisationId, id }: Order, decide: Parameters<OrderStore['change']>[3]) =>
    (await orders.change(organisationId, id, work(), decide)).order;
  return {
    url: server.url,
    keeper,
    orders,
    reserve: async (toStop, organisationId = 1) => {
      const traveller = sampleTraveller();
      const owner = organisationId as OrganisationId;
      const { order } = await orders.create(owner, work(), (id, at) =>
        createOrder(sampleOrder({ id, organisationId: owner, travellers: [traveller] }), at),
      );
      const { line, reservation } = seatedLine({ traveller, departure: new Date('2026-11-24T07:00:00Z') });
      const journey = await rows.reader.findDatedJourney(JOURNEY);
      const places = { fromStopPlaceId: 'TST:Quay:A', toStopPlaceId: `TST:Quay:${toStop}` };
      const calls = journey && findRideCalls(journey, { ...places, departure: NOW });
      if (!journey || !calls) throw new Error('The timetable has the journey');
      const positions = { fromPosition: calls.from.position, toPosition: calls.to.position };
      const { lineId, serviceJourneyId, datedServiceJourneyId } = journey;
      const ride = { lineId, serviceJourneyId, datedServiceJourneyId, ...places, ...positions };
      const [held] = await keeper.hold({
        organisationId: owner,
        orderId: order.id,
        workId: randomUUID(),
        heldAt: NOW,
        requests: [
          {
            orderLineId: line.id,
            stretch: { ...ride, departure: reservation.departure },
            wish: { accommodation: 'SEATING', fareClass: 'STANDARD', facilities: [] },
            wholeCompartment: false,
            places: [{ reservationId: reservation.id, travellerId: traveller.id }],
          },
        ],
      });
      if (!held) throw new Error('A seat is held');
      const legs = line.travelSpecification.legs.map((leg) => ({ ...leg, ...ride }));
      const seated = { ...line, travelSpecification: { ...line.travelSpecification, legs } };
      const { carriageNumber, seatNumber } = held;
      const kept = { ...reservation, ...places, datedServiceJourneyId, carriageNumber, seatNumber };
      return await change(order, (before, at) => addLines(before, { lines: [seated], reservations: [kept] }, at));
    },
    confirm: async (order) => {
      await change(order, (each, at) => ({ order: settle(each, at, totalAmountMinor(each)), events: [] }));
      return await change(order, (each, at) => confirmOrder(each, { orderVersion: each.version }, at));
    },
    reset: async (order) => await change(order, (each, at) => resetOrder(each, {}, at)),
    sweep: async () => await keeperAt(() => new Date(NOW.getTime() + 180_000)).sweep(),
    close: async () => {
      await server.close();
      await Promise.all([connection.close(), keysConnection.close()]);
    },
  };
}

async function publishLine(connection: Connection): Promise<PublishedRows> {
  const rows = new PublishedRows(connection);
  const network = createNetwork().stops('A 59.9 10.7', 'B 60.0 10.7', 'C 60.1 10.7');
  network.line('1', ['A 08:00 - B 08:10 - C 08:20']).line('2', ['A 09:00 - C 09:20']);
  await rows.publish(network.open());
  return rows;
}

const work = () => ({ workId: randomUUID(), correlationId: randomUUID(), clientId: 'partner' });
