/**
 * A start of validity that a caller has moved. The order keeps the one that it has sold, so the group remembers the other, and the
 * order learns of it (workflows/orders/rules/moved-start.ts). Callers: the rules of reissues and of the next confirmation. Pure.
 */
import { movedValidity, moveOfSold } from '../../orders/rules/moved-start.ts';
import type { MovedStart, OrderLine } from '../../orders/rules/order.ts';
import type { TicketContent } from './line-tickets.ts';
import type { Distribution, TicketGroup } from './ticket-group.ts';
import { isLive } from './ticket-states.ts';

type Validity = Pick<Distribution, 'startOfValidity' | 'endOfValidity'>;

/** What the group remembers after its live tickets were moved to another start. */
export function movedTo({ movedStart: earlier }: TicketGroup, live: Validity, to: Date): MovedStart {
  if (earlier && earlier.to.getTime() === live.startOfValidity.getTime()) return { ...earlier, to };
  return { to, of: { startOfValidity: live.startOfValidity, endOfValidity: live.endOfValidity } };
}

/** As the group remembers it; else as its tickets show it: they were moved before it was kept. Undefined: they start as the line says. */
export function moveOf(group: TicketGroup, { version, travelSpecification: sold }: OrderLine): MovedStart | undefined {
  const live = group.ticketDistributions.find(isLive);
  const isOfLine = group.updatedForOrderLineVersion === version;
  if (group.movedStart || !live || !isOfLine) return group.movedStart;
  const { startOfValidity: to } = live;
  const { startOfValidity, endOfValidity } = sold;
  return to.getTime() === startOfValidity.getTime() ? undefined : { to, of: { startOfValidity, endOfValidity } };
}

export interface AfterMove {
  readonly contents: readonly TicketContent[];
  /** What the group remembers from then on. */
  readonly moved: Pick<TicketGroup, 'movedStart'>;
}

/**
 * What the tickets of the line's next version say. The moved start lasts while the line is sold with the validity that was moved, and
 * travels within the other one: a refund of a part raises the version too. Otherwise the line's own validity counts, for good.
 */
export function afterMove({ movedStart }: TicketGroup, line: OrderLine, contents: readonly TicketContent[]): AfterMove {
  if (!movedStart) return { contents, moved: {} };
  const validity = movedValidity(line, movedStart);
  const moved = { movedStart: moveOfSold(line, movedStart) };
  return { contents: contents.map((content) => ({ ...content, ...validity })), moved };
}
