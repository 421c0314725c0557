/** How an order learns that a journey of its lines does not run as it was sold. */
import assert from 'node:assert/strict';
import { confirmOrder } from '../../workflows/orders/rules/confirmation.ts';
import { noteDisruption } from '../../workflows/orders/rules/disruption.ts';
import { cancelOrder, resetOrder } from '../../workflows/orders/rules/endings.ts';
import { cancelLines } from '../../workflows/orders/rules/line-removal.ts';
import { replaceLines } from '../../workflows/orders/rules/line-replacement.ts';
import { addLines, type NewLine } from '../../workflows/orders/rules/lines.ts';
import type { DisruptionCause, Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import { lockOrder } from '../../workflows/orders/rules/order-lock.ts';
import { draftOrder, later, NOW, sampleLine, sampleTraveller } from '../support/sample-orders.ts';
import { settle } from './order-commands.ts';

const LATER = later(5);
const traveller = sampleTraveller();

/** Two lines, confirmed and paid. */
function soldOrder(): { readonly order: Order; readonly lines: readonly [NewLine, NewLine] } {
  const lines = [sampleLine({ traveller }), sampleLine({ traveller })] as const;
  const draft = addLines(draftOrder({ travellers: [traveller] }), { lines }, NOW).order;
  return { order: confirmOrder(settle(draft, NOW, 20_000), { orderVersion: 1 }, NOW).order, lines: [...lines] };
}

const note = (order: Order, line: Pick<OrderLine, 'id'>, cause: DisruptionCause, now = NOW) =>
  noteDisruption(order, { causeOf: ({ id }) => (id === line.id ? cause : undefined) }, now);
const marks = ({ orderLines }: Pick<Order, 'orderLines'>) => orderLines.map(({ disruption }) => disruption?.cause);

describe('a disruption', () => {
  it('marks the line in the draft and in the version that was sold, and is told once', () => {
    const { order, lines } = soldOrder();
    const changed = cancelLines(order, { orderLineIds: [lines[1].id] }, NOW).order;
    const { order: noted, events } = note(changed, lines[0], 'RESCHEDULED');
    assert.deepEqual(events, [
      { type: 'OrderLineDisrupted', orderVersion: 2, orderLineId: lines[0].id, cause: 'RESCHEDULED' },
    ]);
    assert.deepEqual(marks(noted), ['RESCHEDULED', undefined]);
    assert.deepEqual(noted.confirmed && marks(noted.confirmed), ['RESCHEDULED', undefined]);
    const again = note(noted, lines[0], 'RESCHEDULED', LATER);
    assert.deepEqual([again.order, again.events], [noted, []]);
  });

  it('is told again where it gets worse, never where it gets better, and keeps its first time', () => {
    const { order, lines } = soldOrder();
    const rescheduled = note(order, lines[0], 'RESCHEDULED').order;
    const withdrawn = note(rescheduled, lines[0], 'WITHDRAWN', LATER);
    assert.deepEqual(
      withdrawn.events.map((event) => 'cause' in event && event.cause),
      ['WITHDRAWN'],
    );
    assert.deepEqual(withdrawn.order.orderLines[0]?.disruption, { cause: 'WITHDRAWN', at: NOW });
    assert.equal(note(withdrawn.order, lines[0], 'RESCHEDULED', LATER).order, withdrawn.order);
  });

  it('is noted whoever has the lock, and of a draft that is sold afterwards', () => {
    const { order, lines } = soldOrder();
    const locked = lockOrder(order, { owner: 'capture/1/1' }, NOW).order;
    assert.deepEqual(marks(note(locked, lines[0], 'WITHDRAWN').order), ['WITHDRAWN', undefined]);
    const line = sampleLine({ traveller });
    const draft = addLines(draftOrder({ travellers: [traveller] }), { lines: [line] }, NOW).order;
    const noted = note(draft, line, 'WITHDRAWN').order;
    const sold = confirmOrder(settle(noted, NOW, 10_000), { orderVersion: 1 }, NOW).order;
    assert.deepEqual(sold.confirmed && marks(sold.confirmed), ['WITHDRAWN']);
  });

  it('does not reach cancelled lines and ended orders', () => {
    const { order, lines } = soldOrder();
    const marked = cancelLines(order, { orderLineIds: [lines[0].id] }, NOW).order;
    const cancelled = confirmOrder(settle(marked, NOW, 10_000), { orderVersion: 2 }, NOW).order;
    assert.equal(note(cancelled, lines[0], 'WITHDRAWN').order, cancelled);
    const draft = addLines(draftOrder({ travellers: [traveller] }), { lines }, NOW).order;
    const ended = cancelOrder(draft, {}, NOW).order;
    assert.equal(note(ended, lines[0], 'WITHDRAWN').order, ended);
  });

  it('stays while the sale goes on, ends with another sale, and comes back with a reset', () => {
    const { order, lines } = soldOrder();
    const noted = note(order, lines[0], 'WITHDRAWN').order;
    const same = replaceLines(noted, { lines: [{ ...lines[0], externalReference: 'OURS' }] }, NOW).order;
    assert.deepEqual(marks(same), ['WITHDRAWN', undefined]);
    const { travelSpecification } = lines[0];
    const other = { ...travelSpecification, endOfValidity: later(1, travelSpecification.endOfValidity) };
    const changed = replaceLines(noted, { lines: [{ ...lines[0], travelSpecification: other }] }, NOW).order;
    assert.deepEqual(marks(changed), [undefined, undefined]);
    const exchanged = replaceLines(noted, { lines: [lines[0]], raiseVersion: true }, NOW).order;
    assert.deepEqual(marks(exchanged), [undefined, undefined]);
    assert.deepEqual(marks(resetOrder(exchanged, {}, NOW).order), ['WITHDRAWN', undefined]);
  });
});
