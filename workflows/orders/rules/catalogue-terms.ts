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
  /** JSON pointer of the line. */
  readonly pointer: string;
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
  for (const [at, ride] of rides.entries()) {
    const refusal = refusalOfRide(product, ride, WHENEVER);
    if (refusal === undefined) continue;
    throw mismatch(`${travelOf(written)}/legs/${at}`, `is a ride that ${product.id} is not valid on: ${refusal}`);
  }
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

function travelOf({ pointer }: WrittenTerms): string {
  return `${pointer}/travelSpecification`;
}

function assertTravellers(product: PreassignedProduct, { line: { travellers }, pointer }: WrittenTerms): void {
  const { id, requiredEntitlements } = product;
  const place = `${pointer}/travellers`;
  const party = product.group ?? product.compartment;
  if (party && (travellers.length < party.minTravellers || travellers.length > party.maxTravellers)) {
    throw mismatch(place, `must be ${party.minTravellers} to ${party.maxTravellers}, whom ${id} is for`);
  }
  const required = new Set(requiredEntitlements);
  const at = travellers.findIndex(
    ({ entitlementIds = [] }) => required.symmetricDifference(new Set(entitlementIds)).size > 0,
  );
  if (at < 0) return;
  const wanted = required.size === 0 ? `be left out: ${id} requires none` : `be exactly what ${id} requires`;
  const named = [...required].join(', ');
  throw mismatch(`${place}/${at}/entitlementIds`, `must ${wanted}${named && `: ${named}`}`);
}

/** Starts no later than its first ride, and ends with its duration or its last ride, whichever is later. */
function assertTime(product: PreassignedProduct, written: WrittenTerms): void {
  const { line, rides, now } = written;
  const { timeZone } = written.fares;
  const { id, validityDuration } = product;
  const { startOfValidity, endOfValidity } = line.travelSpecification;
  const place = travelOf(written);
  const start = `${place}/startOfValidity`;
  if (validityDuration === undefined && rides.length === 0) {
    throw mismatch(`${place}/legs`, `must have a ride: ${id} is for a journey`);
  }
  const time = { now, timeZone };
  const first = rides[0]?.plannedStart ?? startOfValidity;
  const early = `is more than ${product.latestStartDays} days from now, and ${id} is not sold so early`;
  if (startOfValidity > first) throw mismatch(start, `must be at ${first.toISOString()}, where its first ride departs`);
  if (!isOnSale(product, startOfValidity, time)) throw mismatch(start, early);
  if (validityDuration === undefined && !isOnSale(product, first, time)) throw mismatch(`${place}/legs/0`, early);
  const expiry = validityDuration === undefined ? undefined : addDuration(startOfValidity, validityDuration, timeZone);
  const late = expiry ? rides.findIndex(({ plannedStart }) => plannedStart >= expiry) : -1;
  if (late >= 0) throw mismatch(`${place}/legs/${late}`, `departs after ${id} has ended, at ${expiry?.toISOString()}`);
  const ends = [...rides.map(latestEnd), ...(expiry ? [expiry.getTime()] : [])];
  const end = new Date(Math.max(...ends));
  if (endOfValidity <= end) return;
  throw mismatch(`${place}/endOfValidity`, `must not be after ${end.toISOString()}, where ${id} ends`);
}

/** The expected arrival is what the caller says. */
function latestEnd({ calls, expectedEndTime, plannedStart }: WrittenRide): number {
  const planned = (calls.at(-1)?.arrival ?? plannedStart).getTime();
  return Math.max(planned, Math.min(expectedEndTime.getTime(), planned + FARTHEST_MS));
}

function assertPlaces({ id, area }: PreassignedProduct, written: WrittenTerms): void {
  const { line, endZones, connections } = written;
  const { fromStopPlaceId, toStopPlaceId } = line.travelSpecification;
  if (area.kind === 'LINES' && (fromStopPlaceId === undefined || toStopPlaceId === undefined)) {
    const member = fromStopPlaceId === undefined ? 'fromStopPlaceId' : 'toStopPlaceId';
    throw mismatch(`${travelOf(written)}/${member}`, `is required: ${id} is valid on lines, from one place to another`);
  }
  if (fromStopPlaceId === undefined && toStopPlaceId === undefined) return;
  const isWithin =
    area.kind === 'LINES'
      ? connections.some((connection) => isValidOnConnection(area, connection))
      : holdsCalls(area, endZones);
  if (isWithin) return;
  throw mismatch(
    travelOf(written),
    `has a \`fromStopPlaceId\` and a \`toStopPlaceId\` that ${id} is not valid between`,
  );
}

/** The ends of a line with rides are those of its rides. */
function assertEnds(written: WrittenTerms): void {
  const { line, rides } = written;
  const [first, last] = [rides[0], rides.at(-1)];
  if (!first || !last) return;
  const { fromStopPlaceId = '', toStopPlaceId = '' } = line.travelSpecification;
  const isFrom = first.fromPlaceIds.includes(fromStopPlaceId);
  if (isFrom && last.toPlaceIds.includes(toStopPlaceId)) return;
  const [member, placeIds] = isFrom ? ['toStopPlaceId', last.toPlaceIds] : ['fromStopPlaceId', first.fromPlaceIds];
  throw mismatch(`${travelOf(written)}/${member}`, `must be that of its rides: ${placeIds.join(' or ')}`);
}

/** How many zones the price counts: those that the ticket names, which hold its rides and lie in the product's area. */
function zonesOf(fare: Parameters<typeof validityOfRides>[0], written: WrittenTerms): number | undefined {
  const { id, area } = fare.product;
  const { rides, endZones, line } = written;
  const place = `${travelOf(written)}/zones`;
  const zones = new Set(line.travelSpecification.zones ?? []);
  if (zones.size === 0) {
    if (isPricedByZones(fare)) throw mismatch(place, `must name those of the travel: ${id} is priced by zones`);
    return undefined;
  }
  const given = [...zones];
  const isArea = area.kind === 'ZONES' && given.every((zone) => !area.zoneIds || area.zoneIds.includes(zone));
  if (!isArea) throw mismatch(place, `must lie in the area of ${id}`);
  const calls = rides.length > 0 ? rides.flatMap(({ callZones }) => callZones) : endZones;
  if (!calls.every((each) => each.some((zone) => zones.has(zone)))) {
    throw mismatch(place, 'must hold every place of the travel');
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
