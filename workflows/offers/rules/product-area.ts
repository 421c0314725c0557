/** Whether a product is valid on a ride, a connection, in zones or for an authority. Pure. */
import type { PreassignedProduct, ProductArea } from '../../shared/fares.ts';
import type { UnavailableReason } from './unavailable.ts';
import type { Connection, Ride } from './wanted-travel.ts';

interface Line {
  readonly lineId: string;
  readonly mode: string;
  readonly authorityId: string;
}

/** Why it is not valid on this ride, or undefined when it is. */
export function refusalOfRide(product: PreassignedProduct, ride: Ride, now: Date): UnavailableReason | undefined {
  if (!isValidOnLine(product.area, ride) || !holdsCalls(product.area, ride.callZones)) return 'OUTSIDE_AREA';
  if (ride.isCancelled) return 'JOURNEY_CANCELLED';
  // A train that is late can still be boarded.
  if (ride.plannedStart < now && ride.expectedStartTime < now) return 'DEPARTED';
  return !ride.train && needsSeatPlan(product) ? 'NO_SUCH_SEATS' : undefined;
}

export function isValidOnConnection(area: ProductArea, connection: Connection): boolean {
  return (
    isValidOnLine(area, connection) &&
    holdsCalls(
      area,
      connection.zoneIds.map((zone) => [zone]),
    )
  );
}

/** Whether every one of these calls lies in a zone of the area. */
export function holdsCalls(area: ProductArea, calls: readonly (readonly string[])[]): boolean {
  if (area.kind === 'LINES' || !area.zoneIds) return true;
  const { zoneIds } = area;
  return calls.every((zones) => zones.some((zone) => zoneIds.includes(zone)));
}

/** Whether it is valid for all that the authority has: no line, mode or single zone is named. */
export function isValidForAuthority(area: ProductArea, authorityId: string): boolean {
  if (area.kind === 'LINES' && (area.lineIds || area.modes)) return false;
  return holds(area.authorityIds, authorityId);
}

function isValidOnLine(area: ProductArea, { lineId, mode, authorityId }: Line): boolean {
  if (area.kind === 'ZONES') return holds(area.authorityIds, authorityId);
  return holds(area.lineIds, lineId) && holds(area.authorityIds, authorityId) && holds(area.modes, mode);
}

function holds(list: readonly string[] | undefined, id: string): boolean {
  return !list || list.includes(id);
}

function needsSeatPlan({ accommodation = 'SEATING', compartment }: PreassignedProduct): boolean {
  return accommodation !== 'SEATING' || compartment !== undefined;
}
