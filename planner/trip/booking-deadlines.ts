/**
 * Excludes rides whose latest booking has passed at the request's `bookingTime`. The search omits the `closedRuns`,
 * which are too late to book from any stop. `isTooLate` is the exact rule for found rides. Requests without a booking
 * time skip this module.
 */
import type { BookingArrangement, ServiceJourney } from '../model/entities.ts';
import type { LineIndex, ServiceDay, ServiceJourneyIndex, TripIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { ClosedRuns, Ride } from '../search/search-types.ts';
import { shiftOf } from '../transit/service-days.ts';

const DAY_SECONDS = 86_400;
const BEFORE_THE_DAY = new Set(['untilPreviousDay', 'advanceOnly']);

interface Deadline {
  /** Minimum time before the departure. */
  readonly periodSeconds: number | undefined;
  /** Latest booking since the start of the service day; negative on the day before. */
  readonly daySeconds: number | undefined;
}

function deadlineOf(booking: BookingArrangement | undefined): Deadline | undefined {
  if (booking === undefined) return undefined;
  const periodSeconds = durationSeconds(booking.minimumBookingPeriod);
  const isBefore = booking.bookWhen !== undefined && BEFORE_THE_DAY.has(booking.bookWhen);
  const clock = clockSeconds(booking.latestBookingTime) ?? (isBefore ? DAY_SECONDS : undefined);
  const daySeconds = clock === undefined ? undefined : clock - (isBefore ? DAY_SECONDS : 0);
  return periodSeconds === undefined && daySeconds === undefined ? undefined : { periodSeconds, daySeconds };
}

/** Reads `PT2H` or `P1DT30M`. Booking has no months and years. */
function durationSeconds(text: string | undefined): number | undefined {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/.exec(text ?? '');
  if (match === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

function clockSeconds(text: string | undefined): number | undefined {
  const match = /^(\d\d):(\d\d)(?::(\d\d))?/.exec(text ?? '');
  if (match === null) return undefined;
  return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0);
}

export class BookingDeadlines {
  readonly #timetable: Timetable;
  /** Journeys of lines that require booking, found at first use. */
  #bookable: readonly ServiceJourneyIndex[] | undefined;

  constructor(timetable: Timetable) {
    this.#timetable = timetable;
  }

  /** The runs between two times that can no longer be booked from any of their stops. Undefined without one. */
  closedRuns(bookingTime: number, from: number, to: number): ClosedRuns | undefined {
    const { transit, catalogue } = this.#timetable;
    this.#bookable ??= this.#findBookable();
    const closed = new Map<TripIndex, ReadonlySet<ServiceDay>>();
    for (const index of this.#bookable) {
      const journey = catalogue.serviceJourneys.at(index);
      for (const trip of transit.tripsOfJourney(index)) {
        const late = this.#runsBetween(trip, from, to).filter((day) =>
          this.#isTooLateEverywhere(journey, trip, day, bookingTime),
        );
        if (late.length > 0) closed.set(trip, new Set(late));
      }
    }
    return closed.size > 0 ? closed : undefined;
  }

  isTooLate({ trip, day, boardPosition, departure }: Ride, bookingTime: number): boolean {
    const journey = this.#timetable.catalogue.serviceJourneys.at(this.#journeyOf(trip));
    return this.#isAfterDeadline(journey, trip, day, boardPosition, departure, bookingTime);
  }

  #journeyOf(trip: TripIndex): ServiceJourneyIndex {
    return this.#timetable.transit.tripJourney[trip] as ServiceJourneyIndex;
  }

  #findBookable(): ServiceJourneyIndex[] {
    const { catalogue } = this.#timetable;
    const found: ServiceJourneyIndex[] = [];
    for (let line = 0 as LineIndex; line < catalogue.lines.count; line = (line + 1) as LineIndex) {
      const { flexibleLineType, booking } = catalogue.lines.at(line);
      if (flexibleLineType !== undefined || booking !== undefined) found.push(...catalogue.journeysOfLine(line));
    }
    return found;
  }

  /** Days of the trip on which it may be under way between two times. */
  #runsBetween(trip: TripIndex, from: number, to: number): ServiceDay[] {
    const { transit } = this.#timetable;
    const first = transit.departureAt(trip, 0);
    const last = transit.departureAt(trip, this.#stopsOf(trip) - 1);
    const days: ServiceDay[] = [];
    const end = Math.floor(to / DAY_SECONDS) + 1;
    for (let number = Math.floor(from / DAY_SECONDS) - transit.daySpan - 1; number <= end; number += 1) {
      const day = number as ServiceDay;
      if (!transit.runsOn(trip, day)) continue;
      const start = transit.runStart(trip, day);
      if (start + first <= to && start + last >= from) days.push(day);
    }
    return days;
  }

  #isTooLateEverywhere(journey: ServiceJourney, trip: TripIndex, day: ServiceDay, bookingTime: number): boolean {
    const { transit } = this.#timetable;
    const start = transit.runStart(trip, day);
    // The last stop's deadline is usually the latest.
    for (let position = this.#stopsOf(trip) - 2; position >= 0; position -= 1) {
      const departure = start + transit.departureAt(trip, position);
      if (!this.#isAfterDeadline(journey, trip, day, position, departure, bookingTime)) return false;
    }
    return true;
  }

  #stopsOf(trip: TripIndex): number {
    const { routeStopsStart, routeOf } = this.#timetable.transit;
    const route = routeOf(trip);
    return (routeStopsStart[route + 1] as number) - (routeStopsStart[route] as number);
  }

  /** The stop's arrangement takes precedence over the journey's, and the journey's over the line's. */
  #isAfterDeadline(
    journey: ServiceJourney,
    trip: TripIndex,
    day: ServiceDay,
    position: number,
    departure: number,
    bookingTime: number,
  ): boolean {
    const { catalogue, transit } = this.#timetable;
    const booking =
      catalogue.journeyPatterns.at(journey.pattern).stops[position]?.booking ??
      journey.booking ??
      catalogue.lines.at(journey.line).booking;
    const deadline = deadlineOf(booking);
    if (deadline === undefined) return false;
    const { periodSeconds, daySeconds } = deadline;
    if (periodSeconds !== undefined && bookingTime > departure - periodSeconds) return true;
    if (daySeconds === undefined) return false;
    const zone = transit.routeZone[transit.routeOf(trip)] as number;
    const shift = shiftOf(transit.clockShifts(zone, day), daySeconds);
    return bookingTime > transit.dayStart(zone, day) + shift + daySeconds;
  }
}
