/**
 * Lines that changes of one draft have exchanged for others form a group, compared as a whole with what was sold. Here its
 * automatic fees are made, and made anew when the draft changes again. Pure.
 */
import type { OrderLineId } from '../../../shared/ids.ts';
import { isLive } from '../amounts.ts';
import { addFee, removeFee } from '../fees.ts';
import { confirmedLine } from '../lines.ts';
import type { Fee, Order, OrderLine } from '../order.ts';
import { combine, type OrderChange } from '../order-change.ts';
import { type AutomaticFee, feesOfCancellation, feesOfChange, feesOfDifference, isFeeOfChange } from './change-fees.ts';
import type { RuleBook, SoldLine } from './change-terms.ts';

/** What automatic fees follow from. */
export interface FeeTerms {
  readonly book: RuleBook;
  readonly feeId: (orderLineId: OrderLineId, type: string) => string;
}

export type Members = ReadonlySet<OrderLineId>;

/** The named lines, and those that earlier changes of this draft have exchanged together with them. */
export function membersOf({ orderLines, status }: Order, lineIds: readonly OrderLineId[]): Members {
  if (status !== 'DRAFT') return new Set(lineIds);
  const named = orderLines.filter(({ id }) => lineIds.includes(id));
  const groups = new Set(named.flatMap((line) => (isChanging(line) ? (line.changeGroup ?? []) : [])));
  const isMember = (line: OrderLine) => line.changeGroup !== undefined && groups.has(line.changeGroup);
  const earlier = orderLines.filter((line) => isChanging(line) && isMember(line)).map(({ id }) => id);
  return new Set([...earlier, ...lineIds]);
}

function isChanging({ status }: OrderLine): boolean {
  return status === 'DRAFT' || status === 'CANCELLATION_DRAFT';
}

/** The name has the version, so that changes of later versions are not compared with this one. */
export function asGroup(order: Order, members: Members, firstId: OrderLineId): Order {
  const changeGroup = `${firstId}/${order.version}`;
  const orderLines = order.orderLines.map((line) => (members.has(line.id) ? { ...line, changeGroup } : line));
  return { ...order, orderLines };
}

/** As it was last confirmed; undefined when it never was. */
export function soldLine(order: Order, id: OrderLineId): SoldLine | undefined {
  const line = confirmedLine(order, id);
  if (!line) return undefined;
  const { reservations = [] } = order.confirmed ?? {};
  return { line, reservations: reservations.filter(({ orderLineId }) => orderLineId === id) };
}

/** Without the fees that earlier changes of this draft have made. */
export function removeFees(
  order: Order,
  members: Members,
  now: Date,
  isMeant: (fee: Fee) => boolean = () => true,
): OrderChange {
  const earlier =
    order.status === 'DRAFT'
      ? order.fees.filter((fee) => isFeeOfChange(fee, members, order.version) && isMeant(fee))
      : [];
  const remove = (id: string) => (current: Order) => removeFee(current, { feeId: id, byRule: true }, now);
  return combine(
    order,
    earlier.map(({ id }) => remove(id)),
  );
}

/** Of a change that was just made. Throws INVALID_STATE where a line may not be changed now. */
export function addFeesOfChange(order: Order, members: Members, terms: FeeTerms, now: Date): OrderChange {
  const { sold, live } = compared(order, members);
  return addFees(order, feesOfChange(sold, live, terms.book, now), terms, now);
}

/**
 * After the members have changed in another way: the price difference that is kept is made anew, and what is cancelled
 * altogether costs what a refund of it would keep.
 */
export function settleFees(order: Order, members: Members, terms: FeeTerms, now: Date): OrderChange {
  const isStale = ({ type }: Fee) => type === 'CHANGE_NON_REFUNDABLE' || type === 'REFUNDING';
  return combine(order, [
    (current) => removeFees(current, members, now, isStale),
    (current) => {
      const { sold, live } = compared(current, members);
      const { book } = terms;
      const fees = live.length > 0 ? feesOfDifference(sold, live, book, now) : feesOfCancellation(sold, book, now);
      return addFees(current, fees, terms, now);
    },
  ]);
}

function compared(order: Order, members: Members) {
  const lines = order.orderLines.filter(({ id }) => members.has(id));
  return { sold: lines.flatMap(({ id }) => soldLine(order, id) ?? []), live: lines.filter(isLive) };
}

function addFees(order: Order, fees: readonly AutomaticFee[], { feeId }: FeeTerms, now: Date): OrderChange {
  const add = ({ type, price, soldLine: { line } }: AutomaticFee) => {
    const fee = { id: feeId(line.id, type), type, price, orderLineIds: [line.id], isAutomatic: true as const };
    return (current: Order) => addFee(current, { fee }, now);
  };
  return combine(order, fees.map(add));
}
