/** JSON of order lines. */
import { isLive, lineTaxMinor } from '../../workflows/orders/rules/amounts.ts';
import type { LineProduct, OrderLine, TravelSpecification } from '../../workflows/orders/rules/order.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { NO_PRICE, type Price } from '../../workflows/shared/price.ts';
import { presentPrice } from '../shared/prices.ts';
import { presentLeg } from '../shared/sold-legs.ts';

export function presentLine(line: OrderLine, currency: string) {
  const { id, version, status, description, travellers, reservationIds, salesPackageRef, externalReference } = line;
  return {
    id,
    version,
    status,
    description,
    price: presentPrice(line.price, currency),
    priceContribution: presentPrice(contributionOf(line), currency),
    salesPackageRef,
    fareProducts: line.fareProducts.map((product) => presentProduct(product, currency)),
    travellers,
    travelSpecification: presentTravel(line.travelSpecification),
    reservationIds,
    externalReference,
    refundedAmount: formatAmount(line.refundedAmountMinor, currency),
    disruption: line.disruption && { cause: line.disruption.cause, at: line.disruption.at.toISOString() },
    usedAt: line.usedAt?.toISOString(),
    createdAt: line.createdAt.toISOString(),
    confirmedAt: line.confirmedAt?.toISOString(),
  };
}

function contributionOf(line: OrderLine): Price {
  if (!isLive(line)) return NO_PRICE;
  return {
    ...line.price,
    amountMinor: line.price.amountMinor - line.refundedShareMinor,
    taxMinor: lineTaxMinor(line),
  };
}

function presentProduct({ id, version, kind, selectableId, price }: LineProduct, currency: string) {
  return { id, version, kind, selectableId, priceContribution: presentPrice(price, currency) };
}

function presentTravel(travel: TravelSpecification) {
  const { legs, startOfValidity, endOfValidity, zones, fromStopPlaceId, toStopPlaceId } = travel;
  return {
    legs: legs.map(presentLeg),
    startOfValidity: startOfValidity.toISOString(),
    endOfValidity: endOfValidity.toISOString(),
    zones,
    fromStopPlaceId,
    toStopPlaceId,
  };
}
