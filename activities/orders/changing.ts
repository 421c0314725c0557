/**
 * Changes lines to other offers: new seats are held beside the old ones, and the order is written once. Callers: the
 * handlers of the API.
 */
import type { Offer } from '../../workflows/offers/rules/offer.ts';
import { assertRoom } from '../../workflows/orders/rules/content-write.ts';
import { assertNotDue, assertWritable } from '../../workflows/orders/rules/guards.ts';
import { assertReplaceable } from '../../workflows/orders/rules/line-replacement.ts';
import { linesNamed } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import { soldLine } from '../../workflows/orders/rules/reserving/change-groups.ts';
import { type ChangedLines, changeLines, travellersOf } from '../../workflows/orders/rules/reserving/change-lines.ts';
import { changeFeeOf } from '../../workflows/orders/rules/reserving/change-terms.ts';
import { contentKey, keepContent } from '../../workflows/orders/rules/reserving/kept-content.ts';
import { keepTravellers } from '../../workflows/orders/rules/reserving/kept-travellers.ts';
import { type PlannedLine, planLines } from '../../workflows/orders/rules/reserving/offer-lines.ts';
import { OrderTravellers } from '../../workflows/orders/rules/reserving/order-travellers.ts';
import type { WantedChange } from '../../workflows/orders/rules/reserving/wanted-offer.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Fares } from '../shared/fares.ts';
import { holdAndWrite } from './held-write.ts';
import { answerOf, derivedIds, possibleLineIds } from './reserved-answer.ts';
import type { Budget } from './reserving-budget.ts';
import { assertCustomersOf, assertSeatsOffered, findSaleableOffers } from './reserving-checks.ts';
import type { ChangeRequest, Reserved, ReservingDependencies } from './reserving-types.ts';

export async function changeOrder(
  dependencies: ReservingDependencies,
  request: ChangeRequest,
  budget: Budget,
): Promise<Reserved> {
  const { orders, fares, seating, now } = dependencies;
  const { orderId, tenancy, work, ifMatch, changes, refundPriceDifference } = request;
  const { order, revision } = await orders.get(tenancy, orderId);
  const ids = derivedIds(work.workId, orderId);
  if (await orders.isDone(tenancy, orderId, work)) {
    const made = changes.flatMap(({ replacedLineIds }, at) => [
      ...replacedLineIds.slice(0, 1),
      ...possibleLineIds(ids, at),
    ]);
    return answerOf(await orders.get(tenancy, orderId), made);
  }
  ifMatch?.({ version: order.version, revision });
  const book = await fares.current();
  assertChangeable(order, changes, book, now());
  const planned = await planChanges(dependencies, request, order, book);
  const lines = planned.exchanges.flat();
  const command: Omit<ChangedLines, 'reservations'> = {
    travellers: planned.travellers.used,
    exchanges: planned.exchanges.map((exchange, at) => ({
      replacedLineIds: (changes[at] as WantedChange).replacedLineIds,
      lines: exchange.map(({ line }) => line),
      chosenProductIds: exchange.flatMap(({ selectableProductIds }) => selectableProductIds),
      contentKey: contentKey(linesNamed(order, (changes[at] as WantedChange).replacedLineIds)),
    })),
    refundPriceDifference,
    book,
    feeId: (lineId, type) => ids.ofWork(`fee/${lineId}/${type}`),
  };
  const stored = await holdAndWrite({
    seating,
    request: { organisationId: order.organisationId, orderId, workId: work.workId, heldAt: now() },
    seats: lines.flatMap(({ seats }) => seats),
    budget,
    write: async (reservations, assertHeld) => {
      const decide = (current: Order, at: Date) => {
        assertHeld(at);
        return changeLines(current, { ...command, reservations }, at);
      };
      return await orders.change(tenancy, orderId, work, decide, { ifMatch });
    },
  });
  return answerOf(
    stored,
    lines.map(({ line }) => line.id),
  );
}

/** What the write would refuse is refused before seats are held. */
function assertChangeable(order: Order, changes: readonly WantedChange[], book: ChangedLines['book'], now: Date): void {
  assertWritable(order, {});
  assertNotDue(order, now);
  const ids = changes.flatMap(({ replacedLineIds }) => replacedLineIds);
  for (const line of linesNamed(order, ids)) assertReplaceable(line);
  if (new Set(ids).size < ids.length) throw selectedTwice();
  for (const id of ids) {
    const sold = soldLine(order, id);
    if (sold) changeFeeOf(sold, book, now);
  }
}

function selectedTwice(): ServiceError {
  const detail = 'must not select a line twice';
  return new ServiceError('VALIDATION_FAILED', `/changeOfferConfigurations ${detail}.`, {
    status: 422,
    errors: [{ pointer: '/changeOfferConfigurations', code: 'UNIQUE_ITEMS', detail }],
  });
}

interface PlannedChanges {
  /** The lines of each change, the first of which has the id of the first line that it replaces. */
  readonly exchanges: readonly (readonly PlannedLine[])[];
  readonly travellers: OrderTravellers;
}

async function planChanges(
  { offers, customers, now }: ReservingDependencies,
  { changes, work, channelId }: ChangeRequest,
  order: Order,
  book: Pick<Fares, 'products' | 'trains'>,
): Promise<PlannedChanges> {
  const found = await findSaleableOffers(offers, {
    organisationId: order.organisationId,
    channelId,
    offerIds: changes.map(({ offerId }) => offerId),
    member: 'changeOfferConfigurations',
    currency: order.currency,
    now: now(),
  });
  assertSeatsOffered(found, book);
  const ids = derivedIds(work.workId, order.id);
  const travellers = new OrderTravellers(order.travellers, ids);
  const exchanges = found.map((offer: Offer, position) => {
    const { replacedLineIds, keepsSupplements, ...given } = changes[position] as WantedChange;
    const replacedIds = travellersOf(order, replacedLineIds);
    const { wanted, kept } = keepTravellers(offer, given, { known: order.travellers, replacedIds, ids });
    const lineId = (at: number) => (at === 0 ? replacedLineIds[0] : undefined);
    const pointer = `/changeOfferConfigurations/${position}`;
    const replaced = linesNamed(order, replacedLineIds);
    const keptContent = keepContent(offer, { replaced, products: book.products, keepsSupplements, pointer });
    return planLines(offer, wanted, travellers, { ids, position, pointer, lineId, kept, keptContent });
  });
  const lines = linesAfter(order, changes, exchanges.flat().length);
  assertRoom({ lines, travellers: travellers.count }, '/changeOfferConfigurations');
  await assertCustomersOf(customers, order.organisationId, travellers.used);
  return { exchanges, travellers };
}

/** The first line of each change stands where one was; further lines that were sold stay, cancelled. */
function linesAfter(order: Order, changes: readonly WantedChange[], made: number): number {
  const dropped = changes
    .flatMap(({ replacedLineIds }) => replacedLineIds.slice(1))
    .filter((id) => !soldLine(order, id));
  return order.orderLines.length - dropped.length + made - changes.length;
}
