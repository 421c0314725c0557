/**
 * Changing lines to other offers, as one write: the new lines in place of the old ones, and the fees that follow. Pure.
 */
import type { OrderLineId } from '../../../shared/ids.ts';
import { balanceMinor } from '../amounts.ts';
import { addFee, removeFee } from '../fees.ts';
import { cancelLines } from '../line-removal.ts';
import { assertReplaceable, replaceLines } from '../line-replacement.ts';
import { addLines, confirmedLine, linesNamed, type NewLine } from '../lines.ts';
import type { Order, OrderTraveller, Reservation } from '../order.ts';
import { combine, type OrderChange, type OrderCommand, unchanged } from '../order-change.ts';
import { feesOfChange, isFeeOfChange } from './change-fees.ts';
import type { RuleBook, SoldLine } from './change-terms.ts';
import { withTravellers } from './reserve-lines.ts';

/** The lines of one offer in place of some lines of the order. */
export interface LineExchange {
  readonly replacedLineIds: readonly OrderLineId[];
  /** The first has the id of the first that it replaces. */
  readonly lines: readonly NewLine[];
}

export interface ChangedLines {
  readonly travellers: readonly OrderTraveller[];
  readonly exchanges: readonly LineExchange[];
  /** Held for the new lines. */
  readonly reservations: readonly Reservation[];
  /** A negative balance is credited when the order is confirmed. */
  readonly refundPriceDifference: boolean;
  readonly book: RuleBook;
  readonly feeId: (orderLineId: OrderLineId, type: string) => string;
}

/** Throws UNKNOWN_ORDER_LINE, TICKET_ALREADY_USED, and INVALID_STATE when a line is cancelled or may not be changed now. */
export const changeLines: OrderCommand<ChangedLines> = (order, command, now) => {
  for (const { replacedLineIds } of command.exchanges) {
    for (const line of linesNamed(order, replacedLineIds)) assertReplaceable(line);
  }
  const change = combine(order, [
    (current) => withTravellers(current, command.travellers, now),
    ...command.exchanges.map((exchange) => (current: Order) => exchangeLines(current, exchange, command, now)),
  ]);
  if (!command.refundPriceDifference || balanceMinor(change.order) >= 0) return change;
  return { ...change, order: { ...change.order, creditBalance: true } };
};

function exchangeLines(order: Order, exchange: LineExchange, command: ChangedLines, now: Date): OrderChange {
  const { replacedLineIds, lines } = exchange;
  const [first, ...further] = lines;
  if (!first || first.id !== replacedLineIds[0]) throw new RangeError('The first line keeps its id');
  const ofLines = (wanted: readonly NewLine[]) => {
    const ids = new Set<string>(wanted.map(({ id }) => id));
    return { lines: wanted, reservations: command.reservations.filter(({ orderLineId }) => ids.has(orderLineId)) };
  };
  return combine(order, [
    (current) => removeEarlierFees(current, replacedLineIds, now),
    (current) => replaceLines(current, { ...ofLines([first]), raiseVersion: true }, now),
    (current) => addLines(current, ofLines(further), now),
    (current) => cancelLines(current, { orderLineIds: replacedLineIds.slice(1) }, now),
    (current) => addFees(current, order, exchange, command, now),
  ]);
}

function removeEarlierFees(order: Order, lineIds: readonly OrderLineId[], now: Date): OrderChange {
  if (order.status !== 'DRAFT') return unchanged(order);
  const ids = new Set<string>(lineIds);
  const earlier = order.fees.filter((fee) => isFeeOfChange(fee, ids, order.version));
  return combine(
    order,
    earlier.map(
      ({ id }) =>
        (current) =>
          removeFee(current, { feeId: id, byRule: true }, now),
    ),
  );
}

function addFees(
  order: Order,
  before: Order,
  { replacedLineIds, lines }: LineExchange,
  { book, feeId }: ChangedLines,
  now: Date,
): OrderChange {
  const sold = replacedLineIds.flatMap((id) => soldLine(before, id) ?? []);
  const fees = feesOfChange(sold, lines, book, now);
  return combine(
    order,
    fees.map(({ type, price, soldLine: { line } }) => (current) => {
      const fee = { id: feeId(line.id, type), type, price, orderLineIds: [line.id], isAutomatic: true as const };
      return addFee(current, { fee }, now);
    }),
  );
}

/** As it was last confirmed; undefined when it never was. */
export function soldLine(order: Order, id: OrderLineId): SoldLine | undefined {
  const line = confirmedLine(order, id);
  if (!line) return undefined;
  const { reservations = [] } = order.confirmed ?? {};
  return { line, reservations: reservations.filter(({ orderLineId }) => orderLineId === id) };
}
