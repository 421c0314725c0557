/** The terms of a line that is replaced by hand: kept while it is the same sale, else those of its products. Pure. */
import type { Fares } from '../../activities/shared/fares.ts';
import type { WrittenRide } from '../../workflows/orders/rules/catalogue-terms.ts';
import type { NewLine } from '../../workflows/orders/rules/lines.ts';
import type { OrderLine } from '../../workflows/orders/rules/order.ts';
import type { Sale } from '../../workflows/orders/rules/same-sale.ts';

/** As the line was sold: also what a caller writes of its travel beside places, rides and times, since its ticket shows that. */
export function termsOfSale(before: OrderLine) {
  const { offerId, refundRuleSetId, changeRuleSetId, transferable, compulsoryLegIds, travelSpecification } = before;
  return {
    ...(offerId !== undefined && { offerId }),
    ...(refundRuleSetId !== undefined && { refundRuleSetId }),
    ...(changeRuleSetId !== undefined && { changeRuleSetId }),
    ...(transferable !== undefined && { transferable }),
    ...(compulsoryLegIds && { compulsoryLegIds }),
    travelSpecification,
  };
}

export function termsOfProducts(line: Sale, { products }: Pick<Fares, 'products'>) {
  const fare = fareOf(line, products);
  return {
    ...(fare && {
      refundRuleSetId: fare.refundRuleSetId,
      changeRuleSetId: fare.changeRuleSetId,
      transferable: fare.transferable,
    }),
  };
}

/**
 * Rides that nobody may take without a seat: those of a train that has compulsory reservation, those of a berth or a
 * compartment, and those that needed a seat before.
 */
export function compulsoryLegs(
  line: Sale,
  rides: readonly WrittenRide[],
  before: OrderLine | undefined,
  { products }: Pick<Fares, 'products'>,
): Pick<NewLine, 'compulsoryLegIds'> {
  const { accommodation = 'SEATING', compartment } = fareOf(line, products) ?? {};
  const isBerth = accommodation !== 'SEATING' || compartment !== undefined;
  const legIds = rides
    .filter(
      ({ legId, train }) =>
        train?.seatReservation === 'COMPULSORY' || (train && isBerth) || before?.compulsoryLegIds?.includes(legId),
    )
    .map(({ legId }) => legId);
  return legIds.length > 0 ? { compulsoryLegIds: legIds } : {};
}

function fareOf({ fareProducts }: Sale, products: Fares['products']) {
  return fareProducts.map(({ id }) => products.get(id)).find((product) => product?.kind === 'PREASSIGNED');
}
