/** Holds a line that is written by hand to what the catalogue sells. Caller: line-requests.ts. */
import type { Fares } from '../../activities/shared/fares.ts';
import { assertCataloguePrice } from '../../workflows/orders/rules/catalogue-price.ts';
import { travelWithinTerms, type WrittenRide } from '../../workflows/orders/rules/catalogue-terms.ts';
import type { NewLine } from '../../workflows/orders/rules/lines.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrdersDependencies } from './dependencies.ts';

type Line = Omit<NewLine, 'reservationIds'>;

interface SaleOptions extends Pick<OrdersDependencies, 'timetable' | 'now'> {
  readonly fares: Fares;
  readonly order: Pick<Order, 'travellers' | 'currency'>;
  /** JSON pointer of the line. */
  readonly pointer: string;
}

/** Throws PRICE_MISMATCH, UNKNOWN_TRAVELLER. */
export async function assertCatalogueSale(
  line: Line,
  rides: readonly WrittenRide[],
  options: SaleOptions,
): Promise<void> {
  const { order, fares, now, pointer } = options;
  const places = rides.length > 0 ? { endZones: [], connections: [] } : await findPlaces(line, options);
  const { travellers, currency } = order;
  assertCataloguePrice({
    ...{ line, travellers, currency, fares, pointer },
    travelOf: (fare) => travelWithinTerms(fare, { line, rides, ...places, fares, pointer, now: now() }),
  });
}

async function findPlaces({ travelSpecification }: Line, { timetable }: SaleOptions) {
  const { fromStopPlaceId, toStopPlaceId } = travelSpecification;
  const ids = [fromStopPlaceId, toStopPlaceId].filter((id) => id !== undefined);
  const found = await timetable.findStopPlaces(ids);
  const zonesOf = new Map(found.map(({ id, zoneIds }) => [id, zoneIds]));
  return {
    endZones: ids.map((id) => zonesOf.get(id) ?? []),
    connections:
      fromStopPlaceId !== undefined && toStopPlaceId !== undefined
        ? await timetable.findConnections(fromStopPlaceId, toStopPlaceId)
        : [],
  };
}
