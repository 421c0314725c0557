/** Changing lines: a draft line is rewritten, a confirmed one becomes the draft of its next version. Pure. */
import { writeContent } from './content-write.ts';
import { invalidState } from './guards.ts';
import {
  alreadyUsed,
  assertLineTravellers,
  assertReservations,
  confirmedLine,
  linesNamed,
  type NewLine,
  reservationEvent,
} from './lines.ts';
import type { Order, OrderLine, Reservation } from './order.ts';
import type { OrderCommand } from './order-change.ts';
import { lineRef } from './order-events.ts';
import { continuedDisruption, continuedShareMinor } from './same-sale.ts';

export interface LineReplacements {
  /** Whole lines, named by their ids. */
  readonly lines: readonly NewLine[];
  /** Of the new lines: those that they keep, and those that were held for them. */
  readonly reservations?: readonly Reservation[];
  /** The version of a line rises even when it is a draft. */
  readonly raiseVersion?: boolean;
}

/** All or nothing. Throws UNKNOWN_ORDER_LINE, TICKET_ALREADY_USED, and INVALID_STATE for a cancelled line. */
export const replaceLines: OrderCommand<LineReplacements> = (order, command, now) =>
  writeContent(order, command, now, (draft) => {
    const { lines, reservations = [], raiseVersion = false } = command;
    if (lines.length === 0) return undefined;
    const given = new Map(lines.map((line) => [line.id, line]));
    if (given.size < lines.length) throw invalidState('A line is given twice.');
    const replaced = linesNamed(draft, [...given.keys()]);
    for (const line of replaced) assertReplaceable(line);
    assertLineTravellers(draft, lines);
    assertReservations(lines, reservations);
    const after = new Map(
      replaced.map((line) => [line.id, replacementOf(draft, line, given.get(line.id) as NewLine, raiseVersion)]),
    );
    const kept = draft.reservations.filter(({ orderLineId }) => !given.has(orderLineId));
    return {
      content: {
        orderLines: draft.orderLines.map((line) => after.get(line.id) ?? line),
        reservations: [...kept, ...reservations],
      },
      events: [
        ...reservationChanges(draft, given, reservations),
        ...[...after.values()].map((line) => ({
          type: 'OrderLineUpdated' as const,
          orderVersion: draft.version,
          ...lineRef(line),
        })),
      ],
    };
  });

export function assertReplaceable({ id, status, usedAt }: OrderLine): void {
  if (status === 'CANCELLED' || status === 'CANCELLATION_DRAFT') throw invalidState(`The line ${id} is cancelled.`);
  if (usedAt) throw alreadyUsed();
}

/** The line's next version, where it was confirmed; else the line with its version. */
export function nextVersion(line: OrderLine, raiseVersion = false): number {
  return line.status === 'CONFIRMED' || raiseVersion ? line.version + 1 : line.version;
}

function replacementOf(draft: Order, line: OrderLine, given: NewLine, raiseVersion: boolean): OrderLine {
  const before = confirmedLine(draft, line.id);
  return {
    ...given,
    version: nextVersion(line, raiseVersion),
    status: 'DRAFT',
    // An exchange sells the whole line anew.
    refundedShareMinor: raiseVersion ? 0 : continuedShareMinor(given, line, before),
    refundedAmountMinor: before?.refundedAmountMinor ?? 0,
    ...(raiseVersion ? {} : continuedDisruption(given, line, before)),
    // Its tickets keep the start while the line keeps the validity that was moved.
    ...(line.movedStart && { movedStart: line.movedStart }),
    createdAt: line.createdAt,
  };
}

function reservationChanges(
  { reservations, version }: Order,
  given: ReadonlyMap<string, NewLine>,
  after: readonly Reservation[],
) {
  const before = reservations.filter(({ orderLineId }) => given.has(orderLineId));
  const isIn = (list: readonly Reservation[], id: Reservation['id']) => list.some((each) => each.id === id);
  return [
    ...before.filter(({ id }) => !isIn(after, id)).map((each) => reservationEvent('ReservationRemoved', version, each)),
    ...after.filter(({ id }) => !isIn(before, id)).map((each) => reservationEvent('ReservationAdded', version, each)),
  ];
}
