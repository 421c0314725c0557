/**
 * What always holds of orders, checked from outside: their money, their versions, their seats, and that their events tell
 * their lines and status. The replay below knows none of the rules of orders.
 */
import assert from 'node:assert/strict';
import { assertBalanced } from '../../platform/events/journal-entry.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import { hasEnded, heldMinor, totalAmountMinor, totalTaxMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderEvent } from '../../workflows/orders/rules/order-events.ts';
import { keptReservations } from '../../workflows/orders/rules/seat-effects.ts';
import { RECEIVABLES } from '../../workflows/shared/accounts.ts';
import { AccountSums } from '../../workflows/shared/journal-entry.ts';
import { sumOf } from '../../workflows/shared/money.ts';

interface ReplayedLine {
  readonly version: number;
  readonly status: string;
}

export interface ReplayedOrder {
  readonly status: string;
  readonly version: number;
  readonly lines: Readonly<Record<string, ReplayedLine>>;
  readonly reservations: readonly string[];
  readonly travellers: readonly string[];
  readonly fees: readonly string[];
}

type State = { -readonly [Member in keyof ReplayedOrder]: ReplayedOrder[Member] };

/** An order as its events tell it. */
export function replayOrder(events: readonly OrderEvent[]): ReplayedOrder {
  let state: State = { status: '', version: 0, lines: {}, reservations: [], travellers: [], fees: [] };
  let confirmed = state;
  for (const event of events) {
    if (event.type === 'OrderReset') state = { ...confirmed, version: event.orderVersion };
    else state = replayed(state, event);
    // Content follows a confirmation only in the draft of another version.
    if (state.status === 'CONFIRMED') confirmed = state;
  }
  return state;
}

function replayed(state: State, event: OrderEvent): State {
  const { type, orderVersion } = event;
  if (type === 'OrderCreated') return { ...state, status: 'DRAFT', version: orderVersion };
  if (type === 'OrderImported') return { ...state, status: 'CONFIRMED', version: orderVersion };
  if (type === 'OrderConfirmed') return { ...state, status: 'CONFIRMED', lines: settled(state.lines) };
  // Each stands for the end of all reservations.
  if (type === 'OrderCancelled') return { ...state, status: 'CANCELLED', reservations: [] };
  if (type === 'OrderExpired') return { ...state, status: 'EXPIRED', reservations: [] };
  // The first content of a version begins its draft.
  const begun = orderVersion > state.version ? { ...state, version: orderVersion, status: 'DRAFT' } : state;
  return withContent(begun, event);
}

function settled(lines: ReplayedOrder['lines']): ReplayedOrder['lines'] {
  const after = { DRAFT: 'CONFIRMED', CANCELLATION_DRAFT: 'CANCELLED' } as Record<string, string>;
  return Object.fromEntries(
    Object.entries(lines).map(([id, line]) => [id, { ...line, status: after[line.status] ?? line.status }]),
  );
}

function withContent(state: State, event: OrderEvent): State {
  const { lines, reservations, travellers, fees } = state;
  const setLine = (status: string) => {
    if (!('orderLineVersion' in event)) throw new Error(event.type);
    return { ...state, lines: { ...lines, [event.orderLineId]: { version: event.orderLineVersion, status } } };
  };
  switch (event.type) {
    case 'OrderLineAdded':
      return setLine(event.status);
    case 'OrderLineUpdated':
      return setLine('DRAFT');
    case 'OrderLineCancelled':
      return setLine('CANCELLATION_DRAFT');
    case 'OrderLineRemoved':
      return { ...state, lines: Object.fromEntries(Object.entries(lines).filter(([id]) => id !== event.orderLineId)) };
    case 'ReservationAdded':
      return { ...state, reservations: [...reservations, event.reservationId] };
    case 'ReservationRemoved':
      return { ...state, reservations: reservations.filter((id) => id !== event.reservationId) };
    case 'ReservationUpdated':
      return {
        ...state,
        reservations: [...reservations.filter((id) => id !== event.replacedReservationId), event.reservationId],
      };
    case 'TravellerAdded':
      return { ...state, travellers: [...travellers, event.travellerId] };
    case 'TravellerRemoved':
      return { ...state, travellers: travellers.filter((id) => id !== event.travellerId) };
    case 'FeeAdded':
      return { ...state, fees: [...fees, event.feeId] };
    case 'FeeRemoved':
      return { ...state, fees: fees.filter((id) => id !== event.feeId) };
    default:
      return state;
  }
}

/** The same facts of the order itself. */
export function factsOf(order: Order): ReplayedOrder {
  return {
    status: order.status,
    version: order.version,
    lines: Object.fromEntries(order.orderLines.map(({ id, version, status }) => [id, { version, status }])),
    reservations: hasEnded(order) ? [] : order.reservations.map(({ id }) => id).sort(),
    travellers: order.travellers.map(({ id }) => id).sort(),
    fees: order.fees.map(({ id }) => id).sort(),
  };
}

export function checkReplay(order: Order, events: readonly OrderEvent[]): void {
  const told = replayOrder(events);
  const sorted = {
    ...told,
    reservations: [...told.reservations].sort(),
    travellers: [...told.travellers].sort(),
    fees: [...told.fees].sort(),
  };
  assert.deepEqual(sorted, factsOf(order), 'the events tell another order');
  checkDisruptions(order, events);
}

/** Each mark was told by an event. */
function checkDisruptions(order: Order, events: readonly OrderEvent[]): void {
  const told = new Map<string, string[]>();
  for (const event of events) {
    if (event.type !== 'OrderLineDisrupted') continue;
    told.set(event.orderLineId, [...(told.get(event.orderLineId) ?? []), event.cause]);
  }
  for (const { id, disruption } of [...order.orderLines, ...(order.confirmed?.orderLines ?? [])]) {
    if (disruption) assert.ok(told.get(id)?.includes(disruption.cause), `the disruption of ${id} was not told`);
  }
}

/** Money is never negative, and pays a confirmed order exactly while no refund runs. */
export function checkMoney(order: Order): void {
  const held = heldMinor(order.money);
  assert.ok(held >= 0, `more was credited than captured: ${held}`);
  if (order.status === 'CONFIRMED' && !order.lock)
    assert.equal(held, totalAmountMinor(order), 'a confirmed order is paid');
}

/** A seat is sold, or waits to be, only while the order keeps it. */
export function checkSeats(order: Order): void {
  const kept = keptReservations(order);
  for (const id of order.pendingSeats?.confirm ?? []) assert.ok(kept.has(id), 'a seat is sold that the order gave up');
  for (const id of order.pendingSeats?.release ?? []) assert.ok(!kept.has(id), 'a seat is freed that the order keeps');
  const known = new Set(order.reservations.map(({ id }) => id));
  for (const { reservationIds } of order.orderLines) {
    for (const id of reservationIds) assert.ok(known.has(id), 'a line names a reservation that the order lacks');
  }
}

/** A confirmed version never changes: the versions that were seen, by their number. */
export class SeenVersions {
  readonly #seen = new Map<number, string>();

  check({ confirmed }: Order): void {
    if (!confirmed) return;
    // A first use, a disruption and a moved start are no part of what was confirmed.
    const text = JSON.stringify(confirmed, (member, value: unknown) =>
      ['usedAt', 'disruption', 'movedStart'].includes(member) ? undefined : value,
    );
    const earlier = this.#seen.get(confirmed.version);
    assert.equal(text, earlier ?? text, `version ${confirmed.version} has changed`);
    this.#seen.set(confirmed.version, text);
  }
}

/** The events of one aggregate, of all its topics: numbered from 1 without a gap or a repeat. */
export function checkSequence(events: readonly Pick<OutboxEvent, 'sequence'>[]): void {
  const sequences = events.map(({ sequence }) => sequence).sort((one, other) => one - other);
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index + 1),
  );
}

/** A stored event as the rule has made it. */
export function toOrderEvent({ type, data }: OutboxEvent): OrderEvent {
  const { meta, ...payload } = data;
  return { type: type.split('.').at(-2), ...payload } as unknown as OrderEvent;
}

/** Every entry balances, and together they say what the last confirmed version costs. */
export function checkEntries({ confirmed }: Order, events: readonly OrderEvent[]): void {
  const sums = new AccountSums();
  for (const { postings } of events.flatMap((event) => ('entry' in event && event.entry ? [event.entry] : []))) {
    assertBalanced({ postings });
    sums.addAll(postings);
  }
  const total = (belongs: (account: string) => boolean) =>
    sumOf(sums.postings().flatMap(({ account, amountMinor }) => (belongs(account) ? [amountMinor] : [])));
  const isMoney = (account: string) => account === RECEIVABLES || account.startsWith('book/');
  assert.equal(total(isMoney), confirmed ? totalAmountMinor(confirmed) : 0, 'receivables and the total');
  const tax = confirmed ? totalTaxMinor(confirmed) : 0;
  assert.equal(total((account) => account.startsWith('vat/')) + tax, 0, 'tax of the ledger and of the order');
  assert.equal(
    total(() => true),
    0,
  );
}
