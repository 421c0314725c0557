/**
 * Whether a line that is written by hand claims no more than an offer of its product would: travellers, time, rides and
 * zones. What cannot be checked, as a ride that the timetable lacks, is refused too. Pure.
 */
import { isOnSale } from '../../offers/rules/coverage.ts';
import { isPricedByZones, validityOfRides } from '../../offers/rules/geographical-validity.ts';
import type { PricedTravel } from '../../offers/rules/price-basis.ts';
import { holdsCalls, isValidOnConnection, refusalOfRide } from '../../offers/rules/product-area.ts';
import type { Connection, FareTable, Ride } from '../../offers/rules/wanted-travel.ts';
import type { PreassignedProduct } from '../../shared/fares.ts';
import { addDuration } from '../../shared/local-time.ts';
import { priceMismatch as mismatch } from './catalogue-price.ts';
import type { NewLine } from './lines.ts';

/** A ride of a line, as the timetable has it. */
export interface WrittenRide extends Ride {
  /** The timetable has it: its zones and its distance are known. */
  readonly isKnown: boolean;
}

export interface WrittenTerms {
  readonly line: Pick<NewLine, 'travellers' | 'travelSpecification'>;
  readonly rides: readonly WrittenRide[];
  /** Of a line without rides: the zones of the places that it names, and the lines between them. */
  readonly endZones: readonly (readonly string[])[];
  readonly connections: readonly Connection[];
  readonly fares: Pick<FareTable, 'prices' | 'timeZone'>;
  readonly now: Date;
}

/** As for departures: a run is found within 12 hours of its planned time. */
const FARTHEST_MS = 12 * 3_600_000;
/** Tickets are also sold on board, and orders are imported after their journey. */
const WHENEVER = new Date(0);

/** Answers what the price counts. Throws PRICE_MISMATCH. */
export function travelWithinTerms(product: PreassignedProduct, written: WrittenTerms): PricedTravel {
  assertTravellers(product, written);
  assertTime(product, written);
  const { rides, fares } = written;
  const refusal = rides.map((ride) => refusalOfRide(product, ride, WHENEVER)).find((reason) => reason !== undefined);
  if (refusal !== undefined) throw mismatch(`${product.id} is not valid on a ride: ${refusal}`);
  if (rides.length === 0) assertPlaces(product, written);
  assertEnds(written);
  const zoneCount = zonesOf({ product, prices: fares.prices.get(product.id) ?? [] }, written);
  const { fromStopPlaceId, toStopPlaceId } = written.line.travelSpecification;
  const isMeasured = rides.length > 0 && rides.every(({ isKnown }) => isKnown);
  return {
    fromPlaceIds: rides[0]?.fromPlaceIds ?? listed(fromStopPlaceId),
    toPlaceIds: rides.at(-1)?.toPlaceIds ?? listed(toStopPlaceId),
    ...(zoneCount !== undefined && { zoneCount }),
    ...(isMeasured && { distanceMetres: rides.reduce((sum, { distanceMetres }) => sum + distanceMetres, 0) }),
  };
}

function assertTravellers(product: PreassignedProduct, { line: { travellers } }: WrittenTerms): void {
  const { id, requiredEntitlements } = product;
  const party = product.group ?? product.compartment;
  if (party && (travellers.length < party.minTravellers || travellers.length > party.maxTravellers)) {
    throw mismatch(`${id} is for ${party.minTravellers} to ${party.maxTravellers} travellers`);
  }
  const required = new Set(requiredEntitlements);
  const isEntitled = travellers.every(
    ({ entitlementIds = [] }) => required.symmetricDifference(new Set(entitlementIds)).size === 0,
  );
  if (!isEntitled) throw mismatch(`each traveller claims exactly the entitlements that ${id} requires`);
}

/** Starts no later than its first ride, and ends with its duration or its last ride, whichever is later. */
function assertTime(product: PreassignedProduct, { line, rides, fares: { timeZone }, now }: WrittenTerms): void {
  const { id, validityDuration } = product;
  const { startOfValidity, endOfValidity } = line.travelSpecification;
  if (validityDuration === undefined && rides.length === 0) throw mismatch(`${id} is for a journey`);
  const time = { now, timeZone };
  const first = rides[0]?.plannedStart ?? startOfValidity;
  if (startOfValidity > first) throw mismatch('the line is not yet valid when its first ride departs');
  if (!isOnSale(product, startOfValidity, time)) throw mismatch(`${id} is not sold so early`);
  if (validityDuration === undefined && !isOnSale(product, first, time)) throw mismatch(`${id} is not sold so early`);
  const expiry = validityDuration === undefined ? undefined : addDuration(startOfValidity, validityDuration, timeZone);
  if (expiry && rides.some(({ plannedStart }) => plannedStart >= expiry)) {
    throw mismatch(`a ride departs after ${id} has ended`);
  }
  const ends = [...rides.map(latestEnd), ...(expiry ? [expiry.getTime()] : [])];
  if (endOfValidity.getTime() > Math.max(...ends)) throw mismatch(`${id} ends before the line does`);
}

/** The expected arrival is what the caller says. */
function latestEnd({ calls, expectedEndTime, plannedStart }: WrittenRide): number {
  const planned = (calls.at(-1)?.arrival ?? plannedStart).getTime();
  return Math.max(planned, Math.min(expectedEndTime.getTime(), planned + FARTHEST_MS));
}

function assertPlaces({ id, area }: PreassignedProduct, { line, endZones, connections }: WrittenTerms): void {
  const { fromStopPlaceId, toStopPlaceId } = line.travelSpecification;
  if (area.kind === 'LINES' && (fromStopPlaceId === undefined || toStopPlaceId === undefined)) {
    throw mismatch(`${id} is valid on lines, and the line does not say from where to where`);
  }
  if (fromStopPlaceId === undefined && toStopPlaceId === undefined) return;
  const isWithin =
    area.kind === 'LINES'
      ? connections.some((connection) => isValidOnConnection(area, connection))
      : holdsCalls(area, endZones);
  if (!isWithin) throw mismatch(`${id} is not valid between these places`);
}

/** The ends of a line with rides are those of its rides. */
function assertEnds({ line, rides }: WrittenTerms): void {
  const [first, last] = [rides[0], rides.at(-1)];
  if (!first || !last) return;
  const { fromStopPlaceId = '', toStopPlaceId = '' } = line.travelSpecification;
  if (first.fromPlaceIds.includes(fromStopPlaceId) && last.toPlaceIds.includes(toStopPlaceId)) return;
  throw mismatch('the line has other ends than its rides');
}

/** How many zones the price counts: those that the ticket names, which hold its rides and lie in the product's area. */
function zonesOf(fare: Parameters<typeof validityOfRides>[0], written: WrittenTerms): number | undefined {
  const { id, area } = fare.product;
  const { rides, endZones, line } = written;
  const zones = new Set(line.travelSpecification.zones ?? []);
  if (zones.size === 0) {
    if (isPricedByZones(fare)) throw mismatch(`${id} is priced by zones, and the line names none`);
    return undefined;
  }
  const given = [...zones];
  const isArea = area.kind === 'ZONES' && given.every((zone) => !area.zoneIds || area.zoneIds.includes(zone));
  if (!isArea) throw mismatch(`${id} is not valid in these zones`);
  const calls = rides.length > 0 ? rides.flatMap(({ callZones }) => callZones) : endZones;
  if (!calls.every((each) => each.some((zone) => zones.has(zone)))) {
    throw mismatch('the line names other zones than it passes');
  }
  if (rides.length === 0) return zones.size;
  // A ticket for the zones of its rides and no others is counted as its offer would be.
  const { zoneCount, geographicalValidity } = validityOfRides(fare, rides);
  const counted = new Set(geographicalValidity.zoneIds);
  return counted.size === zones.size && given.every((zone) => counted.has(zone)) ? zoneCount : zones.size;
}

function listed(id: string | undefined): readonly string[] {
  return id === undefined ? [] : [id];
}
