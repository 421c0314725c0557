/** The lines of an order: written by hand, replaced, removed, cancelled. One line alone is the deprecated form. */

import type { StoredOrder } from '../../activities/orders/order-types.ts';
import type { Fares } from '../../activities/shared/fares.ts';
import type { OrderWork } from '../../activities/shared/orders.ts';
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { withKeptSeats } from '../../workflows/orders/rules/kept-seats.ts';
import type { NamedLines } from '../../workflows/orders/rules/line-removal.ts';
import { addLines, linesNamed, unknownLine } from '../../workflows/orders/rules/lines.ts';
import type { OrderCommand } from '../../workflows/orders/rules/order-change.ts';
import type { FeeTerms } from '../../workflows/orders/rules/reserving/change-groups.ts';
import { cancelByRules, removeByRules, rewriteLines } from '../../workflows/orders/rules/reserving/rewrite-lines.ts';
import type { OrderLineId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import { idsOf } from '../shared/id-lists.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { OrdersDependencies } from './dependencies.ts';
import { type GivenLine, readLines, type WrittenLine } from './line-requests.ts';
import { presentLine } from './present-line.ts';
import { headOf, orderReply } from './replies.ts';
import {
  ifMatchOf,
  invalidMember,
  maySetPrices,
  type OrderRequest,
  targetOf,
  type WriteRequest,
  workOf,
} from './requests.ts';

type LineOperations = Pick<
  Operations,
  | 'addOrderLines'
  | 'putOrderLines'
  | 'deleteOrderLines'
  | 'cancelOrderLines'
  | 'putOrderLine'
  | 'deleteOrderLine'
  | 'cancelOrderLine'
>;
type Dependencies = Pick<OrdersDependencies, 'orders' | 'fares' | 'timetable' | 'now'>;
type Request = OrderRequest & WriteRequest;

export function createLineOperations(dependencies: Dependencies): Handlers<LineOperations> {
  const { orders, fares } = dependencies;
  /** Removes or cancels the lines that the request names. */
  const endLines = async (
    context: Request,
    command: OrderCommand<NamedLines & { readonly terms?: FeeTerms | undefined }>,
    orderLineIds: readonly OrderLineId[],
  ) => {
    const options = { ifMatch: ifMatchOf(context) };
    const work = await workOf(context);
    const ended = { orderLineIds, terms: termsFor(context, await fares.current(), work) };
    return orderReply(
      await orders.change(...targetOf(context), work, (order, now) => command(order, ended, now), options),
    );
  };
  return {
    addOrderLines: async (context) => {
      const { stored, ids } = await writeLines(dependencies, context, context.body.orderLines, 'ADD');
      return { status: 201, ...headOf(stored), json: presentLines(stored, ids) };
    },
    putOrderLines: async (context) => {
      const { stored, ids } = await writeLines(dependencies, context, context.body.orderLines, 'REPLACE');
      return { status: 200, ...headOf(stored), json: presentLines(stored, ids) };
    },
    deleteOrderLines: async (context) =>
      await endLines(context, removeByRules, idsOf<OrderLineId>(context.query.orderLineIds)),
    cancelOrderLines: async (context) =>
      await endLines(context, cancelByRules, idsOf<OrderLineId>(context.query.orderLineIds)),
    putOrderLine: async (context) => {
      const [orderLineId] = idsOf<OrderLineId>([context.path.orderLineId]) as [OrderLineId];
      if (plainUuid(context.body.id ?? orderLineId) !== orderLineId) {
        throw invalidMember('/id', 'CONST', `must be ${orderLineId}, as in the path`);
      }
      const given = { ...context.body, id: orderLineId };
      const { stored } = await writeLines(dependencies, context, [given], 'REPLACE', () => '');
      const [json] = presentLines(stored, [orderLineId]).orderLines;
      if (!json) throw unknownLine([orderLineId]);
      return { status: 200, ...headOf(stored), json };
    },
    deleteOrderLine: async (context) => await endLines(context, removeByRules, idsOf([context.path.orderLineId])),
    cancelOrderLine: async (context) => await endLines(context, cancelByRules, idsOf([context.path.orderLineId])),
  };
}

async function writeLines(
  { orders, fares, timetable, now }: Dependencies,
  context: Request,
  given: readonly GivenLine[],
  how: 'ADD' | 'REPLACE',
  pointerOf = (at: number) => `/orderLines/${at}`,
): Promise<{ readonly stored: StoredOrder; readonly ids: readonly OrderLineId[] }> {
  const target = targetOf(context);
  const { order } = await orders.get(...target);
  // Before prices are looked at: what is not on the order has none.
  if (how === 'REPLACE') linesNamed(order, idsOf<OrderLineId>(given.flatMap(({ id }) => id ?? [])));
  const work = await workOf(context);
  const current = await fares.current();
  const terms = termsFor(context, current, work);
  const written = await readLines(given, {
    ...{ timetable, now },
    fares: current,
    // A new line is compared with none.
    order: how === 'ADD' ? { ...order, orderLines: [] } : order,
    workId: work.workId,
    maySetPrices: maySetPrices(context.caller),
    pointerOf,
  });
  if (how === 'ADD') refuseSeats(written, pointerOf);
  const stored = await orders.change(
    ...target,
    work,
    (present, at) =>
      how === 'ADD'
        ? addLines(present, { lines: written.map(({ line }) => ({ ...line, reservationIds: [] })) }, at)
        : rewriteLines(present, { ...withKeptSeats(present, written, pointerOf), terms }, at),
    { ifMatch: ifMatchOf(context) },
  );
  return { stored, ids: written.map(({ line }) => line.id) };
}

/** Callers who may set prices are not held to the rules of change and refund. */
function termsFor({ caller }: Request, book: Fares, { workId }: OrderWork): FeeTerms | undefined {
  if (maySetPrices(caller)) return undefined;
  return { book, feeId: (orderLineId, type) => workItemId(workId, `fee/${orderLineId}/${type}`) };
}

function refuseSeats(written: readonly WrittenLine[], pointerOf: (at: number) => string): void {
  const at = written.findIndex(({ keptReservationIds = [] }) => keptReservationIds.length > 0);
  if (at >= 0) throw invalidMember(`${pointerOf(at)}/reservationIds`, 'MAX_ITEMS', 'of a new line is empty', 422);
}

function presentLines({ order }: StoredOrder, ids: readonly OrderLineId[]) {
  const byId = new Map(order.orderLines.map((line) => [line.id, line]));
  const lines = ids.flatMap((id) => byId.get(id) ?? []);
  return { orderLines: lines.map((line) => presentLine(line, order.currency)) };
}
