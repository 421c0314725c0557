/**
 * Properties of orders under random commands: events tell the order, confirmed versions never change, versions are never
 * used twice, and every seat is sold, kept or released. A failure prints its seed; `ORDER_SEED` repeats it.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { totalAmountMinor } from '../../workflows/orders/rules/amounts.ts';
import { createOrder } from '../../workflows/orders/rules/creation.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderChange } from '../../workflows/orders/rules/order-change.ts';
import { isCollectionEvent, type OrderEvent } from '../../workflows/orders/rules/order-events.ts';
import { postedEvents } from '../../workflows/orders/rules/postings.ts';
import { keptReservations } from '../../workflows/orders/rules/seat-effects.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { checkEntries, checkMoney, checkReplay, checkSeats, SeenVersions } from '../support/order-checks.ts';
import { later, NOW, sampleOrder, sampleTraveller } from '../support/sample-orders.ts';
import { seededRandom } from '../support/zip-samples.ts';
import { COMMANDS, settle } from './order-commands.ts';

const ORDERS = 600;
const COMMANDS_EACH = 60;
/** Commands that end an order, or hold it up, are rare: most stories go on. */
const RARE = ['cancelOrder', 'abandonDraft', 'lockOrder', 'removeLines', 'noteUse', 'noteDisruption'];
const NAMES = Object.keys(COMMANDS).flatMap((name) => (RARE.includes(name) ? [name] : [name, name, name, name]));
/** Reached many times, else the stories show little. */
const REACHED: readonly OrderEvent['type'][] = [
  'OrderConfirmed',
  'OrderReset',
  'OrderExpired',
  'OrderCancelled',
  'OrderLineUpdated',
  'OrderLineCancelled',
  'OrderLineRemoved',
  'OrderLineDisrupted',
  'ReservationUpdated',
  'ReservationRemoved',
];
const given = process.env.ORDER_SEED;
const FIRST_SEED = given === undefined ? randomInt(2 ** 31) : Number(given);

class Story {
  order: Order;
  now = NOW;
  readonly events: OrderEvent[];
  readonly #random: (below: number) => number;
  readonly #versions = new SeenVersions();
  /** What the seat keeper would have: seats sold, and seats given up. */
  readonly #seats = new Map<string, 'HELD' | 'CONFIRMED' | 'RELEASED'>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const created = createOrder(sampleOrder({ travellers: [sampleTraveller()] }), NOW);
    this.order = created.order;
    this.events = [...created.events];
  }

  step(): void {
    this.now = later(this.#random(3), this.now);
    if (this.#random(4) === 0) this.#payOrCredit();
    const name = NAMES[this.#random(NAMES.length)] as string;
    try {
      this.#take(name, COMMANDS[name]?.(this.order, this.now) as OrderChange);
    } catch (error) {
      if (!(error instanceof ServiceError) && !/sample order/.test(String(error))) throw error;
    }
    this.#check();
  }

  /** Money fits either the draft or the version that it falls back to. */
  #payOrCredit(): void {
    const { confirmed } = this.order;
    if (this.order.status !== 'DRAFT') return;
    const fallback = confirmed ? totalAmountMinor(confirmed) : 0;
    const target = this.#random(3) === 0 ? fallback : totalAmountMinor(this.order);
    if (target >= 0) this.order = settle(this.order, this.now, target);
  }

  #take(name: string, { order, events }: OrderChange): void {
    const before = this.order;
    if (order === before) assert.equal(events.length, 0, `${name} tells of a change that it has not made`);
    const firstCollection = events.findIndex(isCollectionEvent);
    if (firstCollection >= 0) assert.ok(events.slice(firstCollection).every(isCollectionEvent), name);
    assert.ok(order.highestVersion >= before.highestVersion && order.highestVersion <= before.highestVersion + 1, name);
    if (order.version > before.version)
      assert.equal(order.version, before.highestVersion + 1, 'a version is used twice');
    this.#checkExpiry(name, before, order);
    this.order = order;
    this.events.push(...postedEvents(before, { order, events }));
  }

  /** Never lowered but by a caller, or by a departure. */
  #checkExpiry(name: string, before: Order, after: Order): void {
    if (name === 'setExpireAt' || after.status !== 'DRAFT' || before.status !== 'DRAFT') return;
    if (!before.expireAt || !after.expireAt || after.version !== before.version) return;
    const departures = after.reservations.map(({ departure }) => departure.getTime());
    const floor = Math.min(before.expireAt.getTime(), ...departures);
    assert.ok(after.expireAt.getTime() >= floor, `${name} lowers the time of the draft`);
  }

  #check(): void {
    checkReplay(this.order, this.events);
    checkMoney(this.order);
    checkEntries(this.order, this.events);
    checkSeats(this.order);
    this.#versions.check(this.order);
    this.#settleSeats();
    assert.equal(this.order.status === 'DRAFT' && this.order.confirmed?.version === this.order.version, false);
  }

  /** As the seat keeper does at some time after the write. */
  #settleSeats(): void {
    for (const { id } of this.order.reservations) if (!this.#seats.has(id)) this.#seats.set(id, 'HELD');
    if (this.#random(2) === 0) return;
    const { pendingSeats, ...settled } = this.order;
    for (const id of pendingSeats?.confirm ?? []) this.#seats.set(id, 'CONFIRMED');
    for (const id of pendingSeats?.release ?? []) this.#seats.set(id, 'RELEASED');
    this.order = settled;
    const kept = keptReservations(this.order);
    const firm = new Set((this.order.confirmed?.reservations ?? []).map(({ id }) => id));
    for (const [id, state] of this.#seats) {
      const isKept = kept.has(id as never);
      const expected = isKept ? (firm.has(id as never) ? 'CONFIRMED' : 'HELD') : 'RELEASED';
      assert.equal(state, expected, `seat ${id}`);
    }
  }
}

describe('orders under random commands', () => {
  it(`keep what always holds (ORDER_SEED=${FIRST_SEED})`, () => {
    const reached = new Map<string, number>();
    for (let at = 0; at < ORDERS; at += 1) {
      const seed = FIRST_SEED + at;
      const story = new Story(seed);
      try {
        for (let step = 0; step < COMMANDS_EACH; step += 1) story.step();
      } catch (error) {
        throw new Error(`ORDER_SEED=${seed}: ${String(error)}`, { cause: error });
      }
      for (const { type } of story.events) reached.set(type, (reached.get(type) ?? 0) + 1);
    }
    for (const type of REACHED) assert.ok((reached.get(type) ?? 0) > 10, `${type}: ${reached.get(type)}`);
  });
});
