/** What the tickets of a sold line say, as its order and the catalogue have it. Pure. */
import { lineTaxMinor } from '../../orders/rules/amounts.ts';
import type { ConfirmedVersion, Order, OrderLine } from '../../orders/rules/order.ts';
import { supplementNames } from '../../orders/rules/supplement-names.ts';
import type { FareProduct } from '../../shared/fares.ts';
import type { CustomerNumber } from '../../shared/ids.ts';
import { splitAmount } from '../../shared/money.ts';
import type { Price } from '../../shared/price.ts';
import type { Distribution, TicketGroup, TicketSeat, TicketTraveller } from './ticket-group.ts';
import { isValidEverywhere, topologyOf } from './topology.ts';

/** The version that is sold: the tickets follow it, whatever a draft says. */
export interface Sold {
  readonly order: Pick<Order, 'id' | 'organisationId' | 'distributionChannelId' | 'currency' | 'contact' | 'createdBy'>;
  readonly version: ConfirmedVersion;
  /** Of the catalogue. A product that has left it is named as the line was described. */
  readonly products: ReadonlyMap<string, FareProduct>;
}

/** What a ticket says. The rest of a distribution is its life. */
export type TicketContent = Pick<
  Distribution,
  | 'startOfValidity'
  | 'endOfValidity'
  | 'travellers'
  | 'productId'
  | 'productName'
  | 'fareClass'
  | 'price'
  | 'topology'
  | 'legs'
  | 'seatReservations'
  | 'fullAreaValidity'
  | 'zoneNames'
  | 'supplementNames'
>;

/** One ticket for each main product, which share the price of supplements and name them all. A line without a product has one ticket. */
export function ticketsOfLine(sold: Sold, line: OrderLine, group?: TicketGroup): readonly TicketContent[] {
  const mains = line.fareProducts.filter(({ kind }) => kind === 'PREASSIGNED');
  const [first = line.fareProducts[0]] = mains;
  const shown = mains.length > 0 ? mains : [first];
  const prices = pricesOf(line, shown.length > 1 ? mains.map(({ price }) => price.amountMinor) : []);
  return shown.map((product, at): TicketContent => {
    const found = product && sold.products.get(product.id);
    const fare = found?.kind === 'PREASSIGNED' ? found : undefined;
    const added = supplementNames(
      line.fareProducts.filter((each) => each !== product),
      sold.products,
    );
    const { legs, startOfValidity, endOfValidity, zoneNames } = line.travelSpecification;
    return {
      startOfValidity,
      endOfValidity,
      travellers: travellersOf(sold, line, group),
      productId: product?.id ?? line.id,
      productName: found?.name ?? line.description,
      ...(fare?.fareClass && { fareClass: fare.fareClass }),
      price: prices[at] as Price,
      topology: topologyOf(line.travelSpecification, fare?.area),
      legs,
      seatReservations: seatsOf(sold, line),
      fullAreaValidity: isValidEverywhere(line.travelSpecification, fare?.area),
      ...(zoneNames && { zoneNames }),
      ...(added.length > 0 && { supplementNames: added }),
    };
  });
}

/** What refunds have left of the price. `weights` are the prices of several main products. */
function pricesOf(line: OrderLine, weights: readonly number[]): readonly Price[] {
  const { price, refundedShareMinor } = line;
  const left = { ...price, amountMinor: price.amountMinor - refundedShareMinor, taxMinor: lineTaxMinor(line) };
  if (weights.length === 0) return [left];
  const amounts = splitAmount(left.amountMinor, weights);
  const taxes = splitAmount(left.taxMinor, weights);
  return weights.map((_, at) => ({ ...left, amountMinor: amounts[at] ?? 0, taxMinor: taxes[at] ?? 0 }));
}

/** The travellers of the line, with the holder in the place of the one that has passed the tickets on. */
export function travellersOf(
  { version }: Pick<Sold, 'version'>,
  line: OrderLine,
  group?: Pick<TicketGroup, 'distributionHolderCustomerId' | 'holderTravellerId'>,
): readonly TicketTraveller[] {
  return line.travellers.map(({ travellerId, entitlementIds }): TicketTraveller => {
    const traveller = version.travellers.find(({ id }) => id === travellerId);
    const holder = group?.holderTravellerId === travellerId ? group.distributionHolderCustomerId : undefined;
    const customerNumber: CustomerNumber | undefined = holder ?? traveller?.customerNumber;
    return {
      travellerId,
      ...(customerNumber !== undefined && { customerNumber }),
      userTypeId: traveller?.userTypeId ?? '',
      ...(entitlementIds && entitlementIds.length > 0 && { entitlementIds }),
    };
  });
}

export function seatsOf({ version }: Pick<Sold, 'version'>, line: OrderLine): readonly TicketSeat[] {
  return version.reservations
    .filter(({ id, orderLineId }) => orderLineId === line.id && line.reservationIds.includes(id))
    .map(({ legId, travellerId, carriageNumber, seatNumber, seatingProperties }) => ({
      legId,
      travellerId,
      carriageNumber,
      seatNumber,
      seatingProperties,
    }));
}
