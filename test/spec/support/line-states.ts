/** An order with one line of interest in each state of a line that the table of line states names. */
import { isDeepStrictEqual } from 'node:util';
import { totalAmountMinor } from '../../../workflows/orders/rules/amounts.ts';
import { confirmOrder } from '../../../workflows/orders/rules/confirmation.ts';
import { setSpecialOrderCause } from '../../../workflows/orders/rules/facts.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import { cancelLines } from '../../../workflows/orders/rules/line-removal.ts';
import { replaceLines } from '../../../workflows/orders/rules/line-replacement.ts';
import { addLines } from '../../../workflows/orders/rules/lines.ts';
import type { Order, OrderLine } from '../../../workflows/orders/rules/order.ts';
import { noteUse } from '../../../workflows/orders/rules/use.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { CUSTOMER, settle, type Try } from '../../rules/order-commands.ts';
import {
  draftOrder,
  later,
  NOW,
  sampleFee,
  sampleLine,
  sampleTraveller,
  seatedLine,
} from '../../support/sample-orders.ts';

const AT = later(1);
/** A draft of {@link NOW} has ended. */
const DUE = later(21);

/** The line of interest is the first: one with a seat. Beside it, a fee, a cause, and a traveller without a line. */
function withLine(order: Order): Order {
  const traveller = sampleTraveller();
  const { line, reservation } = seatedLine({ traveller });
  const travellers = [...order.travellers, traveller];
  const added = addLines({ ...order, travellers }, { lines: [line], reservations: [reservation] }, NOW).order;
  return { ...added, orderLines: added.orderLines.toReversed() };
}

function begun(): Order {
  const order = draftOrder({ travellers: [sampleTraveller()], contact: CUSTOMER });
  const withFee = addFee(order, { fee: sampleFee('MANUAL', 5_000) }, NOW).order;
  return setSpecialOrderCause(withFee, { causeCode: 'SCHOOL' }, NOW).order;
}

const paid = (order: Order) => settle(order, NOW, totalAmountMinor(order));
const confirmed = (order: Order) => confirmOrder(paid(order), { orderVersion: order.version }, NOW).order;
const sold = () => confirmed(withLine(begun()));
const idOf = ({ orderLines }: Order) => (orderLines[0] as OrderLine).id;
const marked = (order: Order) => cancelLines(order, { orderLineIds: [idOf(order)] }, NOW).order;
const used = (order: Order) => noteUse(order, { orderLineId: idOf(order), usedAt: NOW }, NOW).order;

/** At the same price: the draft is paid. */
function changed(order: Order): Order {
  const [line] = order.orderLines as [OrderLine];
  const lines = [{ ...line, externalReference: 'changed' }];
  return replaceLines(order, { lines, reservations: order.reservations }, NOW).order;
}

/** To a sold order whose only other line is cancelled. */
function added(): Order {
  const other = addLines(begun(), { lines: [sampleLine()] }, NOW).order;
  return withLine(confirmed(marked(confirmed(other))));
}

export const LINE_STATES: Readonly<Record<string, () => Order>> = {
  NEW: () => withLine(begun()),
  ADDED: added,
  SOLD: sold,
  CHANGED: () => changed(sold()),
  MARKED: () => marked(sold()),
  CANCELLED: () => confirmed(marked(sold())),
  USED: () => used(sold()),
  CHANGED_USED: () => used(changed(sold())),
  MARKED_USED: () => used(marked(sold())),
};

/** When, and of which order, a command ends drafts or sells them. */
const CONTEXTS: Readonly<Record<string, (order: Order) => { readonly order: Order; readonly now: Date }>> = {
  confirmOrder: (order) => ({ order: paid(order), now: AT }),
  expireOrder: (order) => ({ order, now: DUE }),
};

/**
 * The code of a refusal; `same`, where the line is as it was; `gone`, where the order has it no more; else its status and version after
 * the command, with its marks.
 */
export function lineOutcomeOf(commandName: string, command: Try, made: Order): string {
  const { order, now } = CONTEXTS[commandName]?.(made) ?? { order: made, now: AT };
  const [before] = order.orderLines as [OrderLine];
  try {
    const after = command(order, now).order.orderLines.find(({ id }) => id === before.id);
    if (!after) return 'gone';
    if (isDeepStrictEqual(after, before)) return 'same';
    const marks = Object.entries({ used: after.usedAt, disrupted: after.disruption, moved: after.movedStart })
      .filter(([, mark]) => mark !== undefined)
      .map(([name]) => name);
    return [after.status, after.version, ...marks].join(' ');
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
