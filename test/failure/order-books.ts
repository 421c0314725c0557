/**
 * What the database holds after the stories of a run: each order as its acknowledged writes have made it, and each seat with
 * the order that keeps it. Used by order-run.ts.
 */
import type { Connection } from 'mongoose';
import { OrderAccessor } from '../../activities/orders/order-access.ts';
import { ORDERS_COLLECTION, type OrderDocument } from '../../activities/orders/order-document.ts';
import { toOrder } from '../../activities/orders/order-members.ts';
import { OrderStore } from '../../activities/orders/order-store.ts';
import { CarriageSeatKeeper } from '../../activities/seating/seat-keeper.ts';
import { ARRANGEMENTS, CARRIAGES, type TakenStretch } from '../../activities/seating/seating-model.ts';
import { keptReservations } from '../../workflows/orders/rules/seat-effects.ts';
import { silentLog } from '../api/support/parcels.ts';
import { checkMoney, checkSeats } from '../support/order-checks.ts';
import { until } from '../support/until.ts';
import type { ToldOrder } from './order-stories.ts';

const AHEAD_MS = 125_000;
const SETTLED_WITHIN = { timeoutMs: 180_000, everyMs: 500 };

export class OrderBooks {
  readonly #connection: Connection;
  readonly #told: readonly ToldOrder[];
  readonly #forgotten: number;
  /** Holds that the order does not have, before the sweep. */
  orphans = 0;

  /** `forgotten`: so many callers may have an order that they do not know of. */
  constructor(connection: Connection, told: readonly ToldOrder[], forgotten: number) {
    this.#connection = connection;
    this.#told = told;
    this.#forgotten = forgotten;
  }

  async orders(): Promise<readonly OrderDocument[]> {
    return await ORDERS_COLLECTION.open(this.#connection).find().toArray();
  }

  /** Waits for what the worker and the relay do after the last answer. */
  async settle(sweep: 'worker' | 'ahead'): Promise<void> {
    const orders = ORDERS_COLLECTION.open(this.#connection);
    const arrangements = ARRANGEMENTS.open(this.#connection);
    const expiring = this.#told.filter(({ status }) => status === 'EXPIRED').map(({ orderId }) => orderId as never);
    const none = (count: () => Promise<number>, what: string) =>
      until(async () => (await count()) === 0, { ...SETTLED_WITHIN, what });
    const open = { _id: { $in: expiring }, status: { $ne: 'EXPIRED' as const } };
    await none(() => orders.countDocuments(open), 'the drafts to expire');
    await none(() => orders.countDocuments({ pendingSeats: { $exists: true } }), 'the seats of orders');
    await none(() => orders.countDocuments({ 'outbox.0': { $exists: true } } as never), 'the relay');
    const kept = (await this.orders()).flatMap((order) => [...keptReservations(toOrder(order))]);
    this.orphans = await arrangements.countDocuments({ checkAt: { $exists: true }, _id: { $nin: kept } });
    if (sweep === 'ahead') await this.#sweepAhead();
    await none(() => arrangements.countDocuments({ checkAt: { $exists: true } }), 'the sweep of holds');
  }

  async check(): Promise<readonly string[]> {
    const orders = await this.orders();
    return [...this.#checkOrders(orders), ...checkEach(orders), ...(await this.#checkSeats(orders))];
  }

  /** The sweep of the worker, two minutes from now. */
  async #sweepAhead(): Promise<void> {
    const now = () => new Date(Date.now() + AHEAD_MS);
    const unused = () => {
      throw new Error('A sweep needs neither fares nor a timetable');
    };
    const orders = new OrderStore({ connection: this.#connection, environment: 'dev', log: silentLog, now });
    const keeper: CarriageSeatKeeper = new CarriageSeatKeeper({
      ...{ connection: this.#connection, now, fares: unused, timetable: unused },
      orders: () => new OrderAccessor({ orders, seats: () => keeper, fares: unused, now }),
    });
    await keeper.sweep();
  }

  /** Each acknowledged write once: it raises the revision by one, and so does the end of a draft. */
  #checkOrders(orders: readonly OrderDocument[]): readonly string[] {
    const stored = new Map<string, OrderDocument>(orders.map((order) => [order._id, order]));
    const faults = this.#told.flatMap((told) => {
      const order = stored.get(told.orderId);
      stored.delete(told.orderId);
      if (!order) return [`${told.orderId} is missing`];
      const lines = order.orderLines.filter(({ status }) => status !== 'CANCELLED');
      const seen = {
        ...{ revision: order.revision, status: order.status, version: order.version, fees: order.fees.length },
        lines: sorted(lines.map(({ id, version }) => `${id} ${version}`)),
      };
      const due = {
        ...{ revision: told.writes + (told.status === 'EXPIRED' ? 1 : 0), status: told.status, version: told.version },
        ...{ fees: told.fees, lines: sorted(Object.entries(told.lines).map(([id, version]) => `${id} ${version}`)) },
      };
      const [is, should] = [JSON.stringify(seen), JSON.stringify({ ...seen, ...due })];
      return is === should ? [] : [`${told.orderId} is ${is} and should be ${should}`];
    });
    const unknown = [...stored.values()];
    if (unknown.length > this.#forgotten) faults.push(`${unknown.length} orders, and ${this.#forgotten} forgotten`);
    const written = unknown.filter(({ revision, status }) => revision !== 1 || status !== 'DRAFT');
    return [...faults, ...written.map(({ _id }) => `nobody knows ${_id}, and somebody has changed it`)];
  }

  async #checkSeats(documents: readonly OrderDocument[]): Promise<readonly string[]> {
    const orders = documents.map(toOrder);
    const firm = new Set(orders.flatMap(({ confirmed }) => confirmed?.reservations.map(({ id }) => id) ?? []));
    const kept = new Set(orders.flatMap((order) => [...keptReservations(order)]));
    const live = await ARRANGEMENTS.open(this.#connection)
      .find({ status: { $ne: 'RELEASED' } })
      .toArray();
    const carriages = await CARRIAGES.open(this.#connection).find().toArray();
    const taken = carriages.flatMap(({ _id, stretches }) => stretches.map((stretch) => ({ ...stretch, _id })));
    const holders = new Set(taken.flatMap((stretch) => stretch.holders));
    const known = new Set(live.map(({ _id }) => _id));
    return [
      ...live.filter(({ _id }) => !kept.has(_id)).map(({ _id, status }) => `${_id} is ${status} for no order`),
      ...live.flatMap(({ _id, status }) =>
        kept.has(_id) && (status === 'CONFIRMED') !== firm.has(_id) ? [`${_id} is ${status} for its order`] : [],
      ),
      ...[...kept].filter((id) => !known.has(id)).map((id) => `an order keeps ${id}, which has no seat`),
      ...[...known].filter((id) => !holders.has(id)).map((id) => `no carriage has the seat of ${id}`),
      ...[...holders].filter((id) => !known.has(id)).map((id) => `${id} has a seat for nobody`),
      ...overlapsOf(taken),
    ];
  }
}

const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();

function checkEach(orders: readonly OrderDocument[]): readonly string[] {
  return orders.map(toOrder).flatMap((order) => {
    try {
      checkMoney(order);
      checkSeats(order);
      return [];
    } catch (error) {
      return [`${order.id}: ${(error as Error).message}`];
    }
  });
}

/** Every two stretches of one seat that share a hop. */
function overlapsOf(taken: readonly (TakenStretch & { readonly _id: string })[]): readonly string[] {
  return [...Map.groupBy(taken, ({ _id, seatNumber }) => `${_id}/${seatNumber}`)].flatMap(([seat, stretches]) =>
    stretches.flatMap((one, at) =>
      stretches
        .slice(at + 1)
        .filter((other) => one.from < other.to && other.from < one.to)
        .map((other) => `${seat} is sold twice: to ${one.holders} and to ${other.holders}`),
    ),
  );
}
