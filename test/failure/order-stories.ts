/**
 * Stories of orders, told by several callers at once: offers, a reservation with seats, and what becomes of it. Each
 * remembers what its acknowledged writes must have led to. Used by order-run.ts.
 */
import type { OrderStatus } from '../../workflows/orders/rules/order.ts';
import { CHANNEL, legOf, TRAINS } from '../support/sold-trains.ts';
import type { FinalAnswer, PatientClient } from './patient-client.ts';

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

export const STORY_SCOPES = ['offers:search', 'orders:read', 'orders:write', 'events:read'];

const ENDINGS = ['CONFIRM', 'CHANGE', 'CANCEL', 'RESET', 'CHANGE_SOLD', 'EXPIRE'] as const;
const HEADERS = { 'service-distribution-channel': CHANNEL };
const PRODUCT = 'FLEX';
const TAX_RATE = 12;
const EXPIRES_IN_MS = 3_000;
const STRETCHES = [
  [0, 2],
  [0, 1],
  [1, 2],
] as const;

export class OrderStories {
  readonly #client: PatientClient;
  readonly told: ToldOrder[] = [];
  readonly faults: string[] = [];
  acknowledged = 0;
  soldOut = 0;

  constructor(client: PatientClient) {
    this.#client = client;
  }

  async tell(index: number): Promise<void> {
    const travellers = Array.from({ length: 1 + (index % 2) }, (_, at) => ({ id: `t${at}`, userType: 'ADULT' }));
    const order = await this.#reserve(index, travellers);
    if (!order) return void this.soldOut++;
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
      default:
        return await this.#letExpire(order);
    }
  }

  /** The offer for all travellers; undefined when the train is full. */
  async #findOffer(index: number, travellers: readonly object[], later = 0): Promise<string | undefined> {
    const [from, to] = STRETCHES[index % STRETCHES.length] ?? STRETCHES[0];
    const leg = legOf({ from, to, train: (index + later) % TRAINS });
    const body = { travellers, tripPattern: { legs: [leg] } };
    const answer = await this.#client.send('/offers/v2/search/trip-pattern', { ...WRITE, body });
    if (answer.status !== 200) throw new Error(`a search answered ${tell(answer)}`);
    const offers: readonly FoundOffer[] = answer.json.offers;
    const found = offers.find(
      ({ preassignedProducts, travellerMapping }) =>
        preassignedProducts[0]?.id === PRODUCT &&
        travellerMapping.flatMap(({ travellerIds }) => travellerIds).length === travellers.length,
    );
    if (!found) throw new Error(`a search found no ${PRODUCT}: ${JSON.stringify(answer.json).slice(0, 500)}`);
    return found.available ? found.id : undefined;
  }

  async #reserve(index: number, travellers: readonly object[]): Promise<ToldOrder | undefined> {
    const offerId = await this.#findOffer(index, travellers);
    if (offerId === undefined) return undefined;
    const answer = await this.#write('/v1/reserve-offers', { offerConfigurations: [{ offerId }] }, [
      'SEAT_UNAVAILABLE',
    ]);
    if (!answer) return undefined;
    const { orderId, orderLineIds, reservationIds } = answer.json;
    if (reservationIds.length !== travellers.length) this.faults.push(`${orderId} has seats ${reservationIds}`);
    return { orderId, writes: 1, status: 'DRAFT', version: 1, lines: firstVersions(orderLineIds), fees: 0 };
  }

  /** False when the other train is full. */
  async #change(order: ToldOrder, index: number, travellers: readonly object[]): Promise<boolean> {
    const offerId = await this.#findOffer(index, travellers, 1);
    if (offerId === undefined) return false;
    const { orderId } = order;
    const selectedOrderLineIds = Object.keys(order.lines);
    const body = { orderId, changeOfferConfigurations: [{ offerId, selectedOrderLineIds }] };
    const answer = await this.#write('/v1/update-order', body, ['SEAT_UNAVAILABLE']);
    if (!answer) return false;
    const [first = '', ...others]: string[] = answer.json.orderLineIds;
    order.lines = { [first]: (order.lines[first] ?? 0) + 1, ...firstVersions(others) };
    order.writes++;
    if (order.status === 'CONFIRMED') order.version++;
    order.status = 'DRAFT';
    // Whether a fee is due for a change is the rules' matter, so it is read.
    order.fees = (await this.#read(order)).fees.length;
    return true;
  }

  /** A reduction pays what is owed. */
  async #confirm(order: ToldOrder): Promise<void> {
    const path = `/v1/orders/${order.orderId}`;
    const { balance } = await this.#read(order);
    if (Number(balance) !== 0) {
      const price = { amount: `-${balance}`, taxRate: TAX_RATE };
      if (await this.#write(`${path}/fees`, { type: 'REDUCTION', price, reason: 'A test' })) {
        order.fees++;
        order.writes++;
      }
    }
    const answer = await this.#write(`${path}/confirm`, { orderVersion: order.version });
    if (!answer) return;
    order.writes++;
    order.status = 'CONFIRMED';
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
    const answer = await this.#write(`/v1/orders/${order.orderId}/${how}`, body);
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
      if (await this.#write(path, body, ['VALIDATION_FAILED'], 'PUT')) break;
    }
    order.writes++;
    order.status = 'EXPIRED';
  }

  async #read({ orderId }: ToldOrder) {
    return (await this.#client.send(`/v1/orders/${orderId}`)).json;
  }

  /** Undefined when it was refused; a refusal other than those allowed is a fault. */
  async #write(path: string, body: object | undefined, refusals: readonly string[] = [], method = 'POST') {
    const answer = await this.#client.send(path, { method, headers: HEADERS, ...(body && { body }) });
    if (answer.status < 300) {
      this.acknowledged++;
      return answer;
    }
    if (!refusals.includes(answer.json?.code)) this.faults.push(`${method} ${path} answered ${tell(answer)}`);
    return undefined;
  }

  #compare({ orderId, status, version }: ToldOrder, { json }: FinalAnswer): void {
    if (json.status !== status || json.version !== version)
      this.faults.push(`${orderId} is ${json.status} ${json.version} instead of ${status} ${version}`);
  }
}

const WRITE = { method: 'POST', headers: HEADERS };

interface FoundOffer {
  readonly id: string;
  readonly available: boolean;
  readonly preassignedProducts: readonly { readonly id: string }[];
  readonly travellerMapping: readonly { readonly travellerIds: readonly string[] }[];
}

function firstVersions(ids: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(ids.map((id) => [id, 1]));
}

function tell({ status, json }: FinalAnswer): string {
  return `${status} ${JSON.stringify(json)}`;
}
