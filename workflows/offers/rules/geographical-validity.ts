/** Where a ticket is valid, and the zones that its price counts. Pure. */
import type { FarePrice, PreassignedProduct } from '../../shared/fares.ts';
import type { GeographicalValidity } from './offer.ts';
import type { Connection, Ride } from './wanted-travel.ts';
import { countZones } from './zones.ts';

/** A product with its prices. */
export interface Fare {
  readonly product: PreassignedProduct;
  readonly prices: readonly FarePrice[];
}

export interface CountedValidity {
  /** Absent where it is unknown. */
  readonly zoneCount?: number;
  readonly geographicalValidity: GeographicalValidity;
}

interface Ends {
  readonly fromStopPlaceId: string;
  readonly toStopPlaceId: string;
}

export function validityOfRides(fare: Fare, rides: readonly Ride[]): CountedValidity {
  const [first, last] = [rides[0] as Ride, rides.at(-1) as Ride];
  const ends = { fromStopPlaceId: first.fromStopPlaceId, toStopPlaceId: last.toStopPlaceId };
  return validityOf(
    fare,
    rides.flatMap(({ callZones }) => callZones),
    rides,
    ends,
  );
}

export function validityOfConnection(fare: Fare, connection: Connection, ends: Ends): CountedValidity {
  return validityOf(
    fare,
    connection.zoneIds.map((zone) => [zone]),
    [connection],
    ends,
  );
}

function validityOf(
  fare: Fare,
  callZones: readonly (readonly string[])[],
  lines: readonly { readonly lineId: string; readonly authorityId: string }[],
  ends: Ends,
): CountedValidity {
  const { area, zoneType } = fare.product;
  if (area.kind === 'LINES') {
    const zones = countZones(callZones, zoneType);
    const lineIds = [...new Set(lines.map(({ lineId }) => lineId))];
    return { ...(zones && { zoneCount: zones.count }), geographicalValidity: { ...ends, lineIds } };
  }
  const zones = countZones(callZones, zoneType, area.zoneIds);
  const authorityIds = area.authorityIds ?? [...new Set(lines.map(({ authorityId }) => authorityId))];
  const zoneIds = isPricedByZones(fare) ? zones?.zoneIds : area.zoneIds;
  return {
    ...(zones && { zoneCount: zones.count }),
    geographicalValidity: { authorityIds, ...(zoneIds && { zoneIds }), ...(zoneType && { zoneType }), ...ends },
  };
}

/** Its price counts zones, so its ticket is valid in those; others are valid in all of their area. */
export function isPricedByZones({ prices }: Fare): boolean {
  return prices.some(({ basis }) => basis.kind === 'ZONES');
}
