/**
 * Changing lines to other offers, as one write: the new lines in place of the old ones, and the fees that follow. Pure.
 */
import type { OrderLineId, TravellerId } from '../../../shared/ids.ts';
import type { ServiceError } from '../../../shared/service-error.ts';
import { balanceMinor } from '../amounts.ts';
import { invalidState } from '../guards.ts';
import { cancelLines } from '../line-removal.ts';
import { assertReplaceable, replaceLines } from '../line-replacement.ts';
import { addLines, linesNamed, type NewLine } from '../lines.ts';
import type { Order, OrderTraveller, Reservation } from '../order.ts';
import { combine, type OrderChange, type OrderCommand } from '../order-change.ts';
import { addFeesOfChange, asGroup, type FeeTerms, membersOf, removeFees } from './change-groups.ts';
import { asSoldAtMost } from './free-rebooking.ts';
import { contentKey } from './kept-content.ts';
import { withTravellers } from './reserve-lines.ts';

/** The lines of one offer in place of some lines of the order. */
export interface LineExchange {
  readonly replacedLineIds: readonly OrderLineId[];
  /** The first has the id of the first that it replaces. */
  readonly lines: readonly NewLine[];
  /** That the caller has chosen beyond what every line of the offer has. */
  readonly chosenProductIds?: readonly string[];
  /** Of the replaced lines when the new ones were planned. */
  readonly contentKey?: string;
}

export interface ChangedLines extends FeeTerms {
  readonly travellers: readonly OrderTraveller[];
  readonly exchanges: readonly LineExchange[];
  /** Held for the new lines. */
  readonly reservations: readonly Reservation[];
  /** Whether a negative balance is credited when the order is confirmed. The latest change of a draft decides. */
  readonly refundPriceDifference: boolean;
}

/** Throws UNKNOWN_ORDER_LINE, TICKET_ALREADY_USED, and INVALID_STATE when a line is cancelled or may not be changed now. */
export const changeLines: OrderCommand<ChangedLines> = (order, command, now) => {
  for (const exchange of command.exchanges) {
    for (const line of linesNamed(order, exchange.replacedLineIds)) assertReplaceable(line);
    assertTravellersKept(order, exchange);
    assertContentKept(order, exchange);
  }
  const change = combine(order, [
    (current) => withTravellers(current, command.travellers, now),
    ...command.exchanges.map((exchange) => (current: Order) => exchangeLines(current, exchange, command, now)),
  ]);
  return { ...change, order: withPreset(change.order, command.refundPriceDifference) };
};

function withPreset({ creditBalance: _earlier, ...order }: Order, refundPriceDifference: boolean): Order {
  return refundPriceDifference && balanceMinor(order) < 0 ? { ...order, creditBalance: true } : order;
}

function exchangeLines(order: Order, exchange: LineExchange, command: ChangedLines, now: Date): OrderChange {
  const { replacedLineIds } = exchange;
  const members = new Set([...membersOf(order, replacedLineIds), ...exchange.lines.map(({ id }) => id)]);
  const lines = asSoldAtMost(order, members, exchange, command.book, now);
  const [first, ...further] = lines;
  if (!first || first.id !== replacedLineIds[0]) throw new RangeError('The first line keeps its id');
  const ofLines = (wanted: readonly NewLine[]) => {
    const ids = new Set<string>(wanted.map(({ id }) => id));
    return { lines: wanted, reservations: command.reservations.filter(({ orderLineId }) => ids.has(orderLineId)) };
  };
  return combine(order, [
    (current) => removeFees(current, members, now),
    (current) => replaceLines(current, { ...ofLines([first]), raiseVersion: true }, now),
    // Before the new ones: together with those the order may have too many lines.
    (current) => cancelLines(current, { orderLineIds: replacedLineIds.slice(1) }, now),
    (current) => addLines(current, ofLines(further), now),
    (current) => ({ order: asGroup(current, members, first.id), events: [] }),
    (current) => addFeesOfChange(current, members, command, now),
  ]);
}

export function travellersOf(order: Order, lineIds: readonly OrderLineId[]): readonly TravellerId[] {
  const travellers = lineIds.flatMap((id) => linesNamed(order, [id]).flatMap((line) => line.travellers));
  return [...new Set(travellers.map(({ travellerId }) => travellerId))];
}

/** Another write may have given the lines to others since the new ones were planned. */
function assertTravellersKept(order: Order, { replacedLineIds, lines }: LineExchange): void {
  const before = travellersOf(order, replacedLineIds);
  const after = new Set(lines.flatMap(({ travellers }) => travellers.map(({ travellerId }) => travellerId)));
  if (before.length === 0 || (before.length === after.size && before.every((id) => after.has(id)))) return;
  throw changedMeanwhile('travellers');
}

function assertContentKept(order: Order, exchange: LineExchange): void {
  if (exchange.contentKey === undefined) return;
  if (contentKey(linesNamed(order, exchange.replacedLineIds)) === exchange.contentKey) return;
  throw changedMeanwhile('supplements or references');
}

function changedMeanwhile(what: string): ServiceError {
  return invalidState(`The ${what} of the lines have changed meanwhile: read the order and change it again.`);
}
