/** The stores of orders on real databases, in two processes, with a clock that tests set. */
import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { DueOrders } from '../../../activities/orders/due-orders.ts';
import { OrderAccessor } from '../../../activities/orders/order-access.ts';
import { ORDER_VERSIONS, ORDERS_COLLECTION, type OrderCollection } from '../../../activities/orders/order-document.ts';
import { OrderSearch } from '../../../activities/orders/order-search.ts';
import { OrderSeats } from '../../../activities/orders/order-seats.ts';
import { OrderStore } from '../../../activities/orders/order-store.ts';
import { sweepDueOrders } from '../../../activities/orders/order-sweeps.ts';
import type { OrderStoreOptions, StoredOrder } from '../../../activities/orders/order-types.ts';
import type { OrderWork } from '../../../activities/shared/orders.ts';
import type { OutboxEvent } from '../../../platform/events/outbox.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { createOrder, type NewOrder } from '../../../workflows/orders/rules/creation.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order, OrderTraveller } from '../../../workflows/orders/rules/order.ts';
import type { OrderId } from '../../../workflows/shared/ids.ts';
import { settle } from '../../rules/order-commands.ts';
import { checkReplay, checkSequence, toOrderEvent } from '../../support/order-checks.ts';
import { later, NOW, OURS, sampleOrder, sampleTraveller, seatedLine } from '../../support/sample-orders.ts';
import { useMongo } from '../../support/stack.ts';
import { SeatRecorder } from './seat-recorder.ts';

/** A catalogue without supplements. */
export const NO_FARES = () => ({ current: async () => ({ products: new Map() }) });

export interface Orders {
  readonly connection: Connection;
  readonly keysConnection: Connection;
  readonly keys: SubjectKeys;
  readonly options: OrderStoreOptions;
  readonly collection: OrderCollection;
  readonly store: OrderStore;
  readonly search: OrderSearch;
  readonly seats: OrderSeats;
  readonly due: DueOrders;
  readonly access: OrderAccessor;
}

let works = 0;

export function request(workId?: string): OrderWork {
  works += 1;
  return { workId: workId ?? `work-${works}`, correlationId: `correlation-${works}`, clientId: 'partner' };
}

export class OrderFixture {
  here!: Orders;
  there!: Orders;
  now = NOW;
  readonly keeper = new SeatRecorder();
  readonly #name: string;
  readonly #masterKeys = parseKeyRing(`m1:${randomBytes(32).toString('base64')}`, 'CUSTOMER_MASTER_KEYS');

  /** The server is shared, so each test file uses its own `name`. */
  constructor(name: string) {
    this.#name = name;
  }

  async open(): Promise<void> {
    [this.here, this.there] = await Promise.all([this.#connect(), this.#connect()]);
    const { connection, keys } = this.here;
    const definitions = [ORDERS_COLLECTION, ORDER_VERSIONS];
    await Promise.all([...definitions.map((each) => each.ensureIndexes(connection)), keys.ensureIndexes()]);
  }

  async clear(): Promise<void> {
    this.now = NOW;
    this.keeper.states.clear();
    this.keeper.taken.clear();
    this.keeper.failures = [];
    const { collection, connection, keysConnection } = this.here;
    await collection.deleteMany({});
    await ORDER_VERSIONS.open(connection).deleteMany({});
    await keysConnection.collection('subject_keys').deleteMany({});
  }

  async close(): Promise<void> {
    const open = [this.here, this.there].filter(Boolean);
    await Promise.all(open.flatMap((each) => [each.connection.close(), each.keysConnection.close()]));
  }

  passes(minutes: number): void {
    this.now = later(minutes, this.now);
  }

  async create(more: Partial<NewOrder> = {}, work = request()): Promise<StoredOrder> {
    const { organisationId } = sampleOrder(more);
    return await this.here.store.create(organisationId, work, (id, now) =>
      createOrder(sampleOrder({ ...more, id }), now),
    );
  }

  /** A draft with one line and its held seat. */
  async withSeat(traveller: OrderTraveller = sampleTraveller()): Promise<StoredOrder> {
    const { order } = await this.create({ travellers: [traveller] });
    const { line, reservation } = seatedLine({ traveller });
    this.keeper.states.set(reservation.id, 'HELD');
    return await this.change(order.id, (before, now) =>
      addLines(before, { lines: [line], reservations: [reservation] }, now),
    );
  }

  async change(orderId: OrderId, decide: Parameters<OrderStore['change']>[3], work = request()): Promise<StoredOrder> {
    return await this.here.store.change(OURS, orderId, work, decide);
  }

  async pay(orderId: OrderId): Promise<StoredOrder> {
    return await this.change(orderId, (order, now) => ({
      order: settle(order, now, totalAmountMinor(order)),
      events: [],
    }));
  }

  async confirm(orderId: OrderId, work = request()): Promise<StoredOrder> {
    return await this.change(orderId, (order, now) => confirmOrder(order, { orderVersion: order.version }, now), work);
  }

  async confirmed(): Promise<StoredOrder> {
    const { order } = await this.withSeat();
    await this.pay(order.id);
    return await this.confirm(order.id);
  }

  async sweepDue(started: Order[] = []): Promise<void> {
    const { store: orders, due, options } = this.here;
    const startExpiry = async (order: Order) => started.push(order);
    await sweepDueOrders({ orders, due, startExpiry, log: options.log, now: () => this.now });
  }

  async events(orderId: OrderId): Promise<readonly OutboxEvent[]> {
    const found = await this.here.collection.findOne({ _id: orderId });
    return found?.outbox ?? [];
  }

  /** Its events, which nothing has moved yet, tell the order. */
  async checkEvents(orderId: OrderId): Promise<void> {
    const events = await this.events(orderId);
    checkSequence(events);
    checkReplay((await this.here.store.get('ANY', orderId)).order, events.map(toOrderEvent));
  }

  async #connect(): Promise<Orders> {
    const { uri } = await useMongo();
    const connection = await connectMongo(uri(this.#name));
    const keysConnection = await connectMongo(uri(`${this.#name}-keys`));
    const now = () => this.now;
    const keys = new SubjectKeys({ connection: keysConnection, masterKeys: this.#masterKeys, now });
    const log = createLog({ level: 'silent', name: 'orders' });
    const options = { connection, environment: 'dev' as const, keys, log, now, seats: () => this.keeper };
    const store = new OrderStore(options);
    return {
      connection,
      keysConnection,
      keys,
      options,
      collection: ORDERS_COLLECTION.open(connection),
      store,
      search: new OrderSearch(options),
      seats: new OrderSeats(options),
      due: new DueOrders(connection),
      access: new OrderAccessor({ orders: store, seats: () => this.keeper, fares: NO_FARES, now }),
    };
  }
}
