/**
 * Stories of orders, told by several callers at once: offers, a reservation with seats, and what becomes of it. Each
 * remembers what its acknowledged writes must have led to. Used by order-run.ts.
 */

import type { OrderStatus } from '../../workflows/orders/rules/order.ts';
import { seatOf } from '../support/sold-trains.ts';
import { ConfirmedAnswers } from './confirmed-answers.ts';
import { importedOrder } from './imported-order.ts';
import type { OrderCalls, Reserved } from './order-calls.ts';
import type { FinalAnswer } from './patient-client.ts';

/** An order as its acknowledged writes have made it. */
export interface ToldOrder {
  readonly orderId: string;
  /** Each raises the revision by one. */
  writes: number;
  status: OrderStatus;
  version: number;
  /** Versions of the lines that are not cancelled. */
  lines: Readonly<Record<string, number>>;
  fees: number;
}

export const STORY_SCOPES = [
  ...['offers:search', 'orders:read', 'orders:write', 'orders:price', 'events:read', 'seating:read', 'seating:write'],
];

const ENDINGS = [
  ...(['CONFIRM', 'CHANGE', 'CANCEL', 'RESET', 'CHANGE_SOLD', 'EXPIRE', 'MOVE_SOLD', 'SUPPLEMENT', 'IMPORT'] as const),
];
const TAX_RATE = 12;
const SEATS_TRIED = 5;
const EXPIRES_IN_MS = 3_000;

export class OrderStories {
  readonly #calls: OrderCalls;
  readonly told: ToldOrder[] = [];
  readonly confirmed = new ConfirmedAnswers();

  constructor(calls: OrderCalls) {
    this.#calls = calls;
  }

  async tell(index: number): Promise<void> {
    if (ENDINGS[index % ENDINGS.length] === 'IMPORT') return await this.#import(index);
    const travellers = Array.from({ length: 1 + (Math.floor(index / ENDINGS.length) % 2) }, (_, at) => ({
      id: `t${at}`,
      userType: 'ADULT',
    }));
    const reserved = await this.#calls.reserve(index, travellers);
    if (!reserved) return;
    const order = firstDraft(reserved);
    this.told.push(order);
    switch (ENDINGS[index % ENDINGS.length]) {
      case 'CONFIRM':
        return await this.#confirm(order);
      case 'CHANGE':
        await this.#change(order, index, travellers);
        return await this.#confirm(order);
      case 'CANCEL':
        return await this.#end(order, 'cancel', 'CANCELLED');
      case 'RESET':
        return await this.#reset(order, index, travellers);
      case 'CHANGE_SOLD':
        await this.#confirm(order);
        if (await this.#change(order, index, travellers)) await this.#confirm(order);
        return;
      case 'MOVE_SOLD':
        await this.#confirm(order);
        if (await this.#move(order, reserved, index)) await this.#confirm(order);
        return;
      case 'SUPPLEMENT':
        await this.#supplement(order);
        await this.#confirm(order);
        await this.#supplement(order);
        return await this.#confirm(order);
      default:
        return await this.#letExpire(order);
    }
  }

  /** False when the other train is full. */
  async #change(order: ToldOrder, index: number, travellers: readonly object[]): Promise<boolean> {
    const offerId = await this.#calls.findOffer(index, travellers, 1);
    if (offerId === undefined) return false;
    const { orderId } = order;
    const selectedOrderLineIds = Object.keys(order.lines);
    const body = { orderId, changeOfferConfigurations: [{ offerId, selectedOrderLineIds }] };
    const answer = await this.#calls.write('/v1/update-order', body, ['SEAT_UNAVAILABLE']);
    if (!answer) return false;
    const [first = '', ...others]: string[] = answer.json.orderLineIds;
    order.lines = { [first]: (order.lines[first] ?? 0) + 1, ...firstVersions(others) };
    this.#drafted(order);
    // Whether a fee is due for a change is the rules' matter, so it is read.
    order.fees = (await this.#calls.read(order.orderId)).fees.length;
    return true;
  }

  /** A write of content: a sold order becomes the draft of its next version. */
  #drafted(order: ToldOrder): void {
    order.writes++;
    if (order.status === 'CONFIRMED') order.version++;
    order.status = 'DRAFT';
  }

  /** Another seat for the first traveller. False when each that was tried is taken. */
  async #move(order: ToldOrder, { reservationIds: [id = ''] }: Reserved, index: number): Promise<boolean> {
    for (let tries = 0; tries < SEATS_TRIED; tries++) {
      const seat = seatOf(index * SEATS_TRIED + tries);
      const answer = await this.#calls.write(`/v1/seating-arrangements/${id}`, seat, ['SEAT_UNAVAILABLE'], 'PUT');
      if (!answer) continue;
      const { reservationId, orderLineId, carriageNumber, seatNumber } = answer.json;
      if (carriageNumber !== seat.carriageNumber || seatNumber !== seat.seatNumber)
        this.#calls.faults.push(`${order.orderId} has seat ${seatNumber} and asked for ${seat.seatNumber}`);
      // It had this seat already.
      if (reservationId === id) return false;
      this.#calls.ids.reservations.add(reservationId);
      this.#raise(order, orderLineId);
      this.#drafted(order);
      return true;
    }
    return false;
  }

  async #supplement(order: ToldOrder): Promise<void> {
    const [orderLineId = ''] = Object.keys(order.lines);
    const supplementProducts = [{ orderLineId, selectableProductIds: ['MEAL'] }];
    const body = { orderId: order.orderId, supplementProducts };
    if (!(await this.#calls.write('/v1/update-order/supplement-products', body))) return;
    this.#raise(order, orderLineId);
    this.#drafted(order);
  }

  /** A line that was sold becomes the draft of its next version. */
  #raise(order: ToldOrder, lineId: string): void {
    if (order.status !== 'CONFIRMED') return;
    order.lines = { ...order.lines, [lineId]: (order.lines[lineId] ?? 0) + 1 };
  }

  /** Sold elsewhere. The same money comes with no other order. */
  async #import(index: number): Promise<void> {
    const body = importedOrder(index);
    const answer = await this.#calls.write('/v1/orders/import', body);
    if (!answer) return;
    this.confirmed.keep(answer);
    const ids: string[] = answer.json.orderLines.map(({ id }: { id: string }) => id);
    const [orderId, lines] = [answer.json.id, firstVersions(ids)];
    this.told.push({ orderId, writes: 1, status: 'CONFIRMED', version: 1, lines, fees: 0 });
    const again = await this.#calls.write('/v1/orders/import', body, ['DUPLICATE_TRANSACTION']);
    if (again) this.#calls.faults.push(`${again.json.id} has the money of ${orderId}, too`);
  }

  /** A reduction pays what is owed. */
  async #confirm(order: ToldOrder): Promise<void> {
    const path = `/v1/orders/${order.orderId}`;
    const { balance } = await this.#calls.read(order.orderId);
    if (Number(balance) !== 0) {
      const price = { amount: `-${balance}`, taxRate: TAX_RATE };
      if (await this.#calls.write(`${path}/fees`, { type: 'REDUCTION', price, reason: 'A test' })) {
        order.fees++;
        order.writes++;
      }
    }
    const answer = await this.#calls.write(`${path}/confirm`, { orderVersion: order.version });
    if (!answer) return;
    order.writes++;
    order.status = 'CONFIRMED';
    this.confirmed.keep(answer);
    this.#compare(order, answer);
  }

  async #reset(order: ToldOrder, index: number, travellers: readonly object[]): Promise<void> {
    await this.#confirm(order);
    const { version, lines, fees } = order;
    if (!(await this.#change(order, index, travellers))) return;
    Object.assign(order, { version, lines, fees });
    await this.#end(order, 'reset', 'CONFIRMED');
  }

  async #end(order: ToldOrder, how: 'cancel' | 'reset', status: OrderStatus): Promise<void> {
    const body = how === 'cancel' ? { reason: 'A test' } : undefined;
    const answer = await this.#calls.write(`/v1/orders/${order.orderId}/${how}`, body);
    if (!answer) return;
    order.writes++;
    order.status = status;
    this.#compare(order, answer);
  }

  /** A request that was repeated for long names a time that has passed; it is refused, and another one is sent. */
  async #letExpire(order: ToldOrder): Promise<void> {
    const path = `/v1/orders/${order.orderId}/expire-at`;
    for (;;) {
      const body = { expireAt: new Date(Date.now() + EXPIRES_IN_MS).toISOString() };
      if (await this.#calls.write(path, body, ['VALIDATION_FAILED'], 'PUT')) break;
    }
    order.writes++;
    order.status = 'EXPIRED';
  }

  #compare({ orderId, status, version }: ToldOrder, { json }: FinalAnswer): void {
    if (json.status !== status || json.version !== version)
      this.#calls.faults.push(`${orderId} is ${json.status} ${json.version} instead of ${status} ${version}`);
  }
}

function firstDraft({ orderId, orderLineIds }: Reserved): ToldOrder {
  return { orderId, writes: 1, status: 'DRAFT', version: 1, lines: firstVersions(orderLineIds), fees: 0 };
}

function firstVersions(ids: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(ids.map((id) => [id, 1]));
}
