/** Which seats a line may move to: supplements that decide the seat keep their meaning after the sale. Pure. */
import type { FareProduct, SupplementProduct } from '../../shared/fares.ts';
import type { SeatingProperties } from '../../shared/seats.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { Order, OrderLine, Reservation } from './order.ts';
import type { MovedSeat } from './reservations.ts';

type Products = ReadonlyMap<string, FareProduct>;

/**
 * A line that has a whole compartment keeps it: another berth would leave the party apart, and strangers beside it.
 * What a supplement of the line has bought stays; what a supplement of its product sells is not had without it, unless the
 * present seat has it already, or the one that reserving gave. Throws SEAT_UNAVAILABLE.
 */
export function assertSoldFacilities(
  { orderLines, reservations }: Pick<Order, 'orderLines' | 'reservations'>,
  { reservationId, replacement }: MovedSeat,
  products: Products,
): void {
  const earlier = reservations.find(({ id }) => id === reservationId);
  const line = orderLines.find(({ id }) => id === earlier?.orderLineId);
  // The write itself refuses these.
  if (!earlier || !line) return;
  const whole = line.fareProducts.find((each) => isWholeCompartment(products.get(each.id)));
  if (whole) throw partOfCompartment(whole.id);
  const bought = seatSupplements(
    line.fareProducts.map(({ id }) => id),
    products,
  );
  const facilities = facilitiesOf(replacement.seatingProperties);
  const lost = bought.find(({ seatFacility }) => !facilities.has(seatFacility));
  if (lost) throw unavailable(replacement, `has no ${lost.seatFacility}, which the line has with ${lost.id}`);
  const owned = new Set([
    ...facilitiesOf(earlier.seatingProperties),
    ...givenFacilities(earlier),
    ...bought.map(({ seatFacility }) => seatFacility),
  ]);
  const unpaid = onSale(line, products).find(
    ({ seatFacility }) => facilities.has(seatFacility) && !owned.has(seatFacility),
  );
  if (unpaid) throw unavailable(replacement, `is sold with ${unpaid.id}, which the line lacks`);
}

/** What the traveller has had without a supplement, whichever seat came after. */
export function givenFacilities({ givenFacilities: given, seatingProperties }: Reservation): readonly string[] {
  return given ?? [...facilitiesOf(seatingProperties)].filter((each) => each !== undefined);
}

function isWholeCompartment(product: FareProduct | undefined): boolean {
  return product?.kind === 'PREASSIGNED' && product.compartment !== undefined;
}

function onSale({ fareProducts }: OrderLine, products: Products) {
  const ids = fareProducts.flatMap(({ id }) => {
    const product = products.get(id);
    return product?.kind === 'PREASSIGNED' ? [...product.compulsorySupplements, ...product.optionalSupplements] : [];
  });
  return seatSupplements(ids, products);
}

function seatSupplements(ids: readonly string[], products: Products): readonly SupplementProduct[] {
  return ids.flatMap((id) => {
    const product = products.get(id);
    return product?.kind === 'SUPPLEMENT' && product.seatFacility !== undefined ? [product] : [];
  });
}

function facilitiesOf({ facilities, position, facing }: SeatingProperties): ReadonlySet<string | undefined> {
  return new Set<string | undefined>([...facilities, position, facing]);
}

function partOfCompartment(productId: string): ServiceError {
  const why = `The line has a whole compartment with ${productId}, so its seats move only together`;
  return new ServiceError('SEAT_UNAVAILABLE', `${why}. Change the line to another offer of that product.`);
}

function unavailable({ carriageNumber, seatNumber }: Reservation, why: string): ServiceError {
  const change = 'Move to another seat, or change the line to an offer with the supplements it needs';
  return new ServiceError(
    'SEAT_UNAVAILABLE',
    `The seat ${seatNumber} of carriage ${carriageNumber} ${why}. ${change}.`,
  );
}
