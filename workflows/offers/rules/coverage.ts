/**
 * What single tickets of one product can cover of the wanted travel, and when such a ticket is valid. Pure.
 *
 * Of a journey these are the longest rows of rides that the product is valid on, and each ride of such a row alone. A
 * product with a duration also covers later rides that begin while it is valid, whatever lies between.
 */
import type { PreassignedProduct } from '../../shared/fares.ts';
import { addDuration, daysBetween, localDateOf, subtractDuration } from '../../shared/local-time.ts';
import { type Fare, validityOfRides } from './geographical-validity.ts';
import type { GeographicalValidity } from './offer.ts';
import type { PricedTravel } from './price-basis.ts';
import { refusalOfRide } from './product-area.ts';
import type { UnavailableReason } from './unavailable.ts';
import type { Ride } from './wanted-travel.ts';

export interface Coverage extends PricedTravel {
  /** Positions in the search's rides; empty when the search is for no journey. */
  readonly legIndexes: readonly number[];
  readonly startOfValidity: Date;
  readonly endOfValidity: Date;
  readonly geographicalValidity: GeographicalValidity;
}

export interface NotCovered {
  readonly reason: UnavailableReason;
  /** Of SALE_NOT_OPEN: the day. */
  readonly onSaleFrom?: string;
}

export type Coverages = { readonly coverages: readonly Coverage[] } | NotCovered;

export interface CoverageTime {
  readonly now: Date;
  readonly timeZone: string;
}

export function coveragesOfRides(fare: Fare, rides: readonly Ride[], time: CoverageTime): Coverages {
  const { product } = fare;
  const refusals = rides.map((ride) => refusalOfRide(product, ride, time.now));
  const covered = rides.flatMap((_, at) => (refusals[at] === undefined ? [at] : []));
  if (covered.length === 0) {
    return { reason: refusals.find((reason) => reason !== 'OUTSIDE_AREA') ?? 'OUTSIDE_AREA' };
  }
  const rows =
    product.validityDuration === undefined ? unbrokenRows(covered) : rowsInTime(product, rides, covered, time);
  const singles = rows.filter((row) => row.length > 1).flatMap((row) => row.map((at) => [at]));
  const coverages = [...rows, ...singles].map((row) => coverageOf(fare, row, rides, time));
  const open = coverages.filter(({ startOfValidity }) => isOnSale(product, startOfValidity, time));
  if (open.length > 0) return { coverages: open };
  const starts = coverages.map(({ startOfValidity }) => startOfValidity.getTime());
  return notOpen(product, new Date(Math.min(...starts)), time);
}

export function notOpen(
  { latestStartDays }: PreassignedProduct,
  startsAt: Date,
  { timeZone }: CoverageTime,
): NotCovered {
  const from = subtractDuration(startsAt, `P${latestStartDays}D`, timeZone);
  return { reason: 'SALE_NOT_OPEN', onSaleFrom: localDateOf(from, timeZone) };
}

/** Whether a ticket that is valid from then is sold already. */
export function isOnSale({ latestStartDays }: PreassignedProduct, startsAt: Date, time: CoverageTime): boolean {
  const { now, timeZone } = time;
  return daysBetween(localDateOf(now, timeZone), localDateOf(startsAt, timeZone)) <= latestStartDays;
}

function unbrokenRows(covered: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const at of covered) {
    const row = rows.at(-1);
    if (row && row.at(-1) === at - 1) row.push(at);
    else rows.push([at]);
  }
  return rows;
}

function rowsInTime(
  product: PreassignedProduct,
  rides: readonly Ride[],
  covered: readonly number[],
  { timeZone }: CoverageTime,
): readonly (readonly number[])[] {
  const rows: number[][] = [];
  let until: Date | undefined;
  for (const at of covered) {
    const start = startOf(rides[at] as Ride);
    const row = rows.at(-1);
    if (row && until && start < until) {
      row.push(at);
      continue;
    }
    rows.push([at]);
    until = addDuration(start, product.validityDuration ?? 'PT0S', timeZone);
  }
  return rows;
}

/** A delay may yet be made good, so a ticket is valid from the planned departure. */
function startOf({ plannedStart, expectedStartTime }: Ride): Date {
  return plannedStart < expectedStartTime ? plannedStart : expectedStartTime;
}

/** A ride that begins while the ticket is valid is covered to its end. */
function coverageOf(
  fare: Fare,
  legIndexes: readonly number[],
  rides: readonly Ride[],
  { timeZone }: CoverageTime,
): Coverage {
  const covered = legIndexes.map((at) => rides[at] as Ride);
  const [first, last] = [covered[0] as Ride, covered.at(-1) as Ride];
  const { validityDuration } = fare.product;
  const start = startOf(first);
  const ends = [last.expectedEndTime, ...(validityDuration ? [addDuration(start, validityDuration, timeZone)] : [])];
  return {
    legIndexes,
    fromPlaceIds: first.fromPlaceIds,
    toPlaceIds: last.toPlaceIds,
    distanceMetres: covered.reduce((sum, { distanceMetres }) => sum + distanceMetres, 0),
    startOfValidity: start,
    endOfValidity: new Date(Math.max(...ends.map((end) => end.getTime()))),
    ...validityOfRides(fare, covered),
  };
}
