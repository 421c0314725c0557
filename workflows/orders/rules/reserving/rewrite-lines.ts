/**
 * Lines that are written again, removed or cancelled by hand, under the rules of their products: nobody pays less by
 * another call than by the change or refund that the options name. Pure.
 */
import { cancelLines, type NamedLines, removeLines } from '../line-removal.ts';
import { type LineReplacements, replaceLines } from '../line-replacement.ts';
import { confirmedLine, linesNamed, type NewLine } from '../lines.ts';
import type { Order, OrderLine } from '../order.ts';
import { combine, type OrderChange, type OrderCommand, unchanged } from '../order-change.ts';
import { isContinuedSale } from '../same-sale.ts';
import { isFeeOfChange } from './change-fees.ts';
import {
  addFeesOfChange,
  asGroup,
  type FeeTerms,
  type Members,
  membersOf,
  removeFees,
  settleFees,
} from './change-groups.ts';

interface Held {
  /** Absent: the caller is not held to the rules of change and refund. */
  readonly terms?: FeeTerms | undefined;
}

/**
 * A line that becomes another sale is a change: it costs what an exchange for an offer would. One that only gets more
 * supplements is none. Throws what `replaceLines` does, and INVALID_STATE when a line may not be changed now.
 */
export const rewriteLines: OrderCommand<LineReplacements & Held> = (order, command, now) => {
  const { terms, ...replacements } = command;
  return combine(order, [
    (current) => replaceLines(current, replacements, now),
    ...command.lines.map((line) => (current: Order) => {
      const [before] = linesNamed(order, [line.id]) as [OrderLine];
      const members = membersOf(order, [line.id]);
      return isContinuedSale(before, line)
        ? settleIfKept(current, members, terms, now)
        : withFeesOfChange(current, line, members, terms, now);
    }),
  ]);
};

function withFeesOfChange(
  order: Order,
  line: NewLine,
  members: Members,
  terms: FeeTerms | undefined,
  now: Date,
): OrderChange {
  const sold = confirmedLine(order, line.id);
  const isAsSold = members.size === 1 && sold !== undefined && isContinuedSale(sold, line);
  return combine(order, [
    (current) => removeFees(current, members, now),
    (current) => (isAsSold ? unchanged(current) : { order: asGroup(current, members, line.id), events: [] }),
    (current) => (isAsSold || !terms ? unchanged(current) : addFeesOfChange(current, members, terms, now)),
  ]);
}

/** A supplement is paid out of the difference that the change of its line has kept. */
export function settleIfKept(order: Order, members: Members, terms: FeeTerms | undefined, now: Date): OrderChange {
  const isKept = order.fees.some(
    (fee) => fee.type === 'CHANGE_NON_REFUNDABLE' && isFeeOfChange(fee, members, order.version),
  );
  return isKept && terms ? settleFees(order, members, terms, now) : unchanged(order);
}

/** What was sold costs what its refund would keep. Throws what `cancelLines` does. */
export const cancelByRules: OrderCommand<NamedLines & Held> = (order, command, now) =>
  endLines(order, command, now, cancelLines);

/** A line that a change has added takes its part of the change with it. Throws what `removeLines` does. */
export const removeByRules: OrderCommand<NamedLines & Held> = (order, command, now) =>
  endLines(order, command, now, removeLines);

function endLines(
  order: Order,
  { terms, ...named }: NamedLines & Held,
  now: Date,
  end: OrderCommand<NamedLines>,
): OrderChange {
  // Unknown lines are refused below, after orders that take no write.
  const open = order.orderLines.filter(
    ({ id, status }) => named.orderLineIds.includes(id) && (status === 'CONFIRMED' || status === 'DRAFT'),
  );
  return combine(order, [
    (current) => end(current, named, now),
    ...open.map(({ id }) => (current: Order) => {
      return terms ? settleFees(current, membersOf(order, [id]), terms, now) : unchanged(current);
    }),
  ]);
}
