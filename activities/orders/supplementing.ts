/** Adds supplements to lines, and tells what may be done with an order's lines. Callers: the handlers of the API. */
import type { Offer } from '../../workflows/offers/rules/offer.ts';
import { assertNotDue, assertWritable } from '../../workflows/orders/rules/guards.ts';
import { linesNamed } from '../../workflows/orders/rules/lines.ts';
import type { Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import { addSupplements } from '../../workflows/orders/rules/reserving/add-supplements.ts';
import {
  type ChangeOption,
  changeOptionsOf,
  type ReasonOfNoOptions,
  reasonOfNoOptions,
} from '../../workflows/orders/rules/reserving/change-options.ts';
import {
  chooseSupplement,
  hasSupplements,
  type SupplementMarket,
} from '../../workflows/orders/rules/reserving/supplement-choice.ts';
import { isSameSale } from '../../workflows/orders/rules/same-sale.ts';
import type { OfferId, OrderId, OrderLineId } from '../../workflows/shared/ids.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { StoredOrder, Tenancy } from './order-types.ts';
import { answerOf, derivedIds } from './reserved-answer.ts';
import type { Budget } from './reserving-budget.ts';
import type { Reserved, ReservingDependencies, SupplementRequest } from './reserving-types.ts';

type Dependencies = Pick<ReservingDependencies, 'orders' | 'offers' | 'fares' | 'now'> & {
  readonly catalogue: Pick<CatalogueReader, 'findChannel'>;
};

export interface LineOptions {
  readonly orderLineId: OrderLineId;
  readonly options: readonly ChangeOption[];
  /** Where there are none. */
  readonly reason?: ReasonOfNoOptions | undefined;
}

/** Another write has made another sale of a line since its supplements were chosen. */
class OtherSale extends Error {}

/** Chooses again while other writes change the lines, until the budget is over. */
export async function supplementOrder(
  dependencies: Dependencies,
  request: SupplementRequest,
  budget: Budget,
): Promise<Reserved> {
  for (;;) {
    try {
      return await addChosen(dependencies, request, budget);
    } catch (error) {
      if (!(error instanceof OtherSale)) throw error;
    }
  }
}

async function addChosen(dependencies: Dependencies, request: SupplementRequest, budget: Budget): Promise<Reserved> {
  const { orders, now } = dependencies;
  const { orderId, tenancy, work, ifMatch } = request;
  const lineIds = request.supplements.map(({ orderLineId }) => orderLineId);
  const { order, revision } = await orders.get(tenancy, orderId);
  if (await orders.isDone(tenancy, orderId, work)) return answerOf(await orders.get(tenancy, orderId), lineIds);
  ifMatch?.({ version: order.version, revision });
  assertWritable(order, {});
  assertNotDue(order, now());
  const lines = linesNamed(order, lineIds);
  const [market, book] = await Promise.all([openMarket(dependencies, order), dependencies.fares.current()]);
  const offers = await findOffers(dependencies, order, lineIds);
  const supplements = request.supplements.map(({ orderLineId, selectableProductIds }, at) => {
    const [line] = linesNamed(order, [orderLineId]) as [OrderLine];
    const offer = line.offerId === undefined ? undefined : offers.get(line.offerId);
    const products = selectableProductIds.map((id, position) =>
      chooseSupplement(
        ...([order, line, id, { ...market, offer }] as const),
        `/supplementProducts/${at}/selectableProductIds/${position}`,
      ),
    );
    return { orderLineId, products };
  });
  const ids = derivedIds(work.workId, orderId);
  const terms = { book, feeId: (lineId: OrderLineId, type: string) => ids.ofWork(`fee/${lineId}/${type}`) };
  budget.check();
  const decide = (current: Order, at: Date) => {
    if (!lines.every((line) => isStillSold(line, current))) throw new OtherSale();
    return addSupplements(current, { supplements, terms }, at);
  };
  return answerOf(await orders.change(tenancy, orderId, work, decide, { ifMatch }), lineIds);
}

/** Which supplements are possible, and their prices, follow from this. */
function isStillSold(line: OrderLine, { orderLines }: Order): boolean {
  const now = orderLines.find(({ id }) => id === line.id);
  return now !== undefined && now.offerId === line.offerId && isSameSale(line, now);
}

/** Throws NOT_FOUND. */
export async function listChangeOptions(
  dependencies: Dependencies,
  tenancy: Tenancy,
  orderId: OrderId,
): Promise<{ readonly stored: StoredOrder; readonly lines: readonly LineOptions[] }> {
  const stored = await dependencies.orders.get(tenancy, orderId);
  const { order } = stored;
  const [market, book] = await Promise.all([openMarket(dependencies, order), dependencies.fares.current()]);
  const now = dependencies.now();
  const lines = order.orderLines
    .filter(({ status }) => status !== 'CANCELLED')
    .map((line) => ({
      orderLineId: line.id,
      options: changeOptionsOf(order, line, { book, hasSupplements: hasSupplements(order, line, market) }, now),
      reason: reasonOfNoOptions(order, line, book, now),
    }));
  return { stored, lines };
}

async function openMarket(
  { fares, catalogue }: Dependencies,
  { distributionChannelId, organisationId }: Order,
): Promise<SupplementMarket> {
  const [current, channel] = await Promise.all([fares.current(), catalogue.findChannel(distributionChannelId)]);
  return { fares: current, organisationIds: channel?.organisationIds ?? [organisationId] };
}

/** Those that may still be bought, so that their prices hold. */
async function findOffers(
  { offers, now }: Dependencies,
  { orderLines, organisationId }: Order,
  lineIds: readonly OrderLineId[],
): Promise<ReadonlyMap<OfferId, Offer>> {
  const ids = orderLines.flatMap(({ id, offerId }) => (offerId !== undefined && lineIds.includes(id) ? [offerId] : []));
  if (ids.length === 0) return new Map();
  const found = await offers.find(organisationId, [...new Set(ids)]);
  return new Map([...found].filter(([, { expiresAt }]) => expiresAt.getTime() > now().getTime()));
}
