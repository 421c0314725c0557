/**
 * Changing lines to other offers, as one write: the new lines in place of the old ones, and the fees that follow. Pure.
 */
import type { OrderLineId } from '../../../shared/ids.ts';
import { balanceMinor, isLive } from '../amounts.ts';
import { addFee, removeFee } from '../fees.ts';
import { cancelLines } from '../line-removal.ts';
import { assertReplaceable, replaceLines } from '../line-replacement.ts';
import { addLines, confirmedLine, linesNamed, type NewLine } from '../lines.ts';
import type { Order, OrderLine, OrderTraveller, Reservation } from '../order.ts';
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
  const earlier = earlierMembers(order, replacedLineIds);
  const members = new Set([...earlier, ...replacedLineIds, ...lines.map(({ id }) => id)]);
  return combine(order, [
    (current) => removeEarlierFees(current, members, now),
    (current) => replaceLines(current, { ...ofLines([first]), raiseVersion: true }, now),
    (current) => addLines(current, ofLines(further), now),
    (current) => cancelLines(current, { orderLineIds: replacedLineIds.slice(1) }, now),
    (current) => ({ order: asGroup(current, members, first.id), events: [] }),
    (current) => addFees(current, members, command, now),
  ]);
}

/** The lines that earlier changes of this draft have exchanged together with these. */
function earlierMembers({ orderLines, status }: Order, lineIds: readonly OrderLineId[]): readonly OrderLineId[] {
  if (status !== 'DRAFT') return [];
  const replaced = orderLines.filter(({ id }) => lineIds.includes(id));
  const groups = new Set(replaced.flatMap((line) => (isChanging(line) ? (line.changeGroup ?? []) : [])));
  const isMember = (line: OrderLine) => line.changeGroup !== undefined && groups.has(line.changeGroup);
  return orderLines.filter((line) => isChanging(line) && isMember(line)).map(({ id }) => id);
}

function isChanging({ status }: OrderLine): boolean {
  return status === 'DRAFT' || status === 'CANCELLATION_DRAFT';
}

/** The name has the version, so that changes of later versions are not compared with this one. */
function asGroup(order: Order, members: ReadonlySet<OrderLineId>, firstId: OrderLineId): Order {
  const changeGroup = `${firstId}/${order.version}`;
  const orderLines = order.orderLines.map((line) => (members.has(line.id) ? { ...line, changeGroup } : line));
  return { ...order, orderLines };
}

function removeEarlierFees(order: Order, members: ReadonlySet<OrderLineId>, now: Date): OrderChange {
  if (order.status !== 'DRAFT') return unchanged(order);
  const earlier = order.fees.filter((fee) => isFeeOfChange(fee, members, order.version));
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
  members: ReadonlySet<OrderLineId>,
  { book, feeId }: ChangedLines,
  now: Date,
): OrderChange {
  const lines = order.orderLines.filter(({ id }) => members.has(id));
  const sold = lines.flatMap(({ id }) => soldLine(order, id) ?? []);
  const fees = feesOfChange(sold, lines.filter(isLive), book, now);
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
