/** Where a ticket is valid. The legs of its line tell what the traveller has planned; this tells what is allowed. Pure. */
import type { TravelSpecification } from '../../orders/rules/order.ts';
import type { ProductArea } from '../../shared/fares.ts';
import { sumOf } from '../../shared/money.ts';
import type { Topology } from './ticket-group.ts';

/** Without an area, of a product that has left the catalogue, the line alone tells. */
export function topologyOf(travel: TravelSpecification, area: ProductArea | undefined): Topology {
  const { zones = [], zoneType, legs, fromStopPlaceId, toStopPlaceId } = travel;
  const fareZones = zones.length > 0 ? zones : area?.kind === 'ZONES' ? (area.zoneIds ?? []) : [];
  const isZonal = area ? area.kind === 'ZONES' : zones.length > 0;
  const [from, to] = [zones[0], zones.at(-1)];
  if (isZonal) {
    return {
      fareZones,
      ...(from !== undefined && { fromFareZone: from }),
      ...(to !== undefined && { toFareZone: to }),
      ...(zoneType && { zoneType }),
    };
  }
  return {
    fareZones,
    ...(fromStopPlaceId !== undefined && { fromStopPlace: fromStopPlaceId }),
    ...(toStopPlaceId !== undefined && { toStopPlace: toStopPlaceId }),
    ...(legs.length > 0 && { distance: sumOf(legs.map(({ distanceMetres }) => distanceMetres)) }),
  };
}

/** Travel is allowed throughout the area of the product. */
export function isValidEverywhere(travel: TravelSpecification, area: ProductArea | undefined): boolean {
  const { zones = [], legs, fromStopPlaceId, toStopPlaceId } = travel;
  if (area?.kind === 'ZONES') {
    const named = new Set(zones);
    return zones.length === 0 || (area.zoneIds?.every((zone) => named.has(zone)) ?? false);
  }
  return zones.length === 0 && legs.length === 0 && fromStopPlaceId === undefined && toStopPlaceId === undefined;
}
