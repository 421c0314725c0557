/** What a customer is shown of the order: what is bought, for when, and what it costs. Pure. Caller: the pages. */
import {
  balanceMinor,
  isLive,
  lineTaxMinor,
  totalAmountMinor,
  totalTaxMinor,
} from '../../workflows/orders/rules/amounts.ts';
import type { Order, OrderLine } from '../../workflows/orders/rules/order.ts';
import type { Price } from '../../workflows/shared/price.ts';
import type { Text } from '../../workflows/shared/text.ts';
import type { CatalogueContent } from '../shared/catalogue.ts';
import type { LegView, LineView, OrderView, TravellersView, VatView } from './page-types.ts';

type Names = Pick<CatalogueContent, 'userTypes' | 'fareProducts'>;

export function viewOf(order: Order, names: Names): OrderView {
  const lines = order.orderLines.filter(isLive);
  const totalMinor = totalAmountMinor(order);
  return {
    lines: lines.map((line) => lineView(line, order, names)),
    travellerCount: order.travellers.length,
    fees: order.fees.map(({ type, price }) => ({ type, amountMinor: price.amountMinor })),
    vat: vatOf([...lines.flatMap(pricesOf), ...order.fees.map(({ price }) => price)]),
    totalMinor,
    totalTaxMinor: totalTaxMinor(order),
    paidMinor: totalMinor - balanceMinor(order),
  };
}

/** For a page that was paid: what was sold, while a later change of the order is only a draft. */
export function asSold(order: Order): Order {
  const { status, confirmed } = order;
  if (status !== 'DRAFT' || !confirmed) return order;
  const { version: _version, confirmedAt: _confirmedAt, ...content } = confirmed;
  return { ...order, ...content };
}

function lineView(line: OrderLine, order: Order, names: Names): LineView {
  const { startOfValidity, endOfValidity, legs } = line.travelSpecification;
  const held = new Set(line.reservationIds);
  return {
    description: line.description,
    amountMinor: line.price.amountMinor - line.refundedShareMinor,
    travellerCount: line.travellers.length,
    travellers: travellersOf(line, order, names),
    supplements: supplementsOf(line, names),
    ...{ startOfValidity, endOfValidity },
    legs: legs.map(legView),
    seats: order.reservations
      .filter(({ id }) => held.has(id))
      .map(({ carriageNumber, seatNumber }) => ({ carriageNumber, seatNumber })),
  };
}

function legView(leg: OrderLine['travelSpecification']['legs'][number]): LegView {
  const { mode, lineId, expectedStartTime: departure, expectedEndTime: arrival, calls } = leg;
  return {
    ...{ mode, lineId, departure, arrival },
    from: calls[0]?.name ?? leg.fromStopPlaceId,
    to: calls.at(-1)?.name ?? leg.toStopPlaceId,
    stops: calls.map(({ stopPlaceId: _id, ...stop }) => stop),
  };
}

function travellersOf({ travellers }: OrderLine, order: Order, { userTypes }: Names): readonly TravellersView[] {
  const ids = new Set(travellers.map(({ travellerId }) => travellerId));
  const kinds = Map.groupBy(
    order.travellers.filter(({ id }) => ids.has(id)),
    ({ userTypeId }) => userTypeId,
  );
  return [...kinds].map(([kind, members]) => ({
    name: userTypes.find(({ id }) => id === kind)?.name ?? [],
    count: members.length,
  }));
}

function supplementsOf({ fareProducts }: OrderLine, names: Names): readonly (readonly Text[])[] {
  return fareProducts
    .filter(({ kind }) => kind === 'SUPPLEMENT')
    .map(({ id }) => names.fareProducts.find((product) => product.id === id)?.name ?? []);
}

/** Tax is contained in each part of a price. What a refund has left has the tax in the same parts. */
function pricesOf(line: OrderLine): readonly Price[] {
  const { price, fareProducts, refundedShareMinor } = line;
  const parts = fareProducts.map((product) => product.price);
  const isWhole = parts.reduce((sum, part) => sum + part.amountMinor, 0) === price.amountMinor;
  if (refundedShareMinor === 0) return isWhole && parts.length > 0 ? parts : [price];
  const amountMinor = price.amountMinor - refundedShareMinor;
  return [{ ...price, amountMinor, taxMinor: lineTaxMinor(line) }];
}

function vatOf(prices: readonly Price[]): readonly VatView[] {
  const rates = Map.groupBy(prices, ({ taxBasisPoints }) => taxBasisPoints);
  return [...rates]
    .sort(([one = -1], [other = -1]) => other - one)
    .map(([basisPoints, members]) => ({
      ...(basisPoints !== undefined && { basisPoints }),
      amountMinor: members.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      taxMinor: members.reduce((sum, { taxMinor }) => sum + taxMinor, 0),
    }));
}
