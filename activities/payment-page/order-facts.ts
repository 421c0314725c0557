/** What the rules of payment pages ask of an order. Pure. Callers: the activities, the creation of pages, the follower. */
import { createHash } from 'node:crypto';
import { balanceMinor } from '../../workflows/orders/rules/amounts.ts';
import type { Fee, Order, OrderLine, OrderTraveller } from '../../workflows/orders/rules/order.ts';
import { findLockingRefund } from '../../workflows/orders/rules/refund-locks.ts';
import type { OrderFacts } from '../../workflows/payment-page/rules/page.ts';

export function factsOf(order: Order): OrderFacts {
  const { status, version, currency, paymentRefs } = order;
  return {
    ...{ status, version, currency },
    balanceMinor: balanceMinor(order),
    contentMark: contentMark(order),
    isHeld: findLockingRefund(order) !== undefined,
    heldMinor: (paymentId) => {
      const ref = paymentRefs.find((each) => each.paymentId === paymentId);
      return ref ? ref.capturedMinor - ref.creditedMinor : 0;
    },
  };
}

/** Changes with what the customer buys. Who travels may be erased, which changes nothing that is paid for. */
function contentMark({ orderLines, travellers, fees, reservations }: Order): string {
  const content = [
    orderLines.map(markedLine),
    travellers.map(({ id, userTypeId }: OrderTraveller) => [id, userTypeId]),
    fees.map(({ id, price }: Fee) => [id, price.amountMinor]),
    reservations.map(({ id }) => id),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}

function markedLine({ id, status, price, travellers, fareProducts, travelSpecification }: OrderLine) {
  const { startOfValidity, endOfValidity, zones, legs } = travelSpecification;
  return [
    ...[id, status, price.amountMinor, startOfValidity, endOfValidity, zones ?? []],
    travellers.map(({ travellerId }) => travellerId),
    fareProducts.map((product) => product.id),
    legs.map((leg) => [leg.datedServiceJourneyId, leg.fromStopPlaceId, leg.toStopPlaceId, leg.expectedStartTime]),
  ];
}
