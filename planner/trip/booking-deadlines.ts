/**
 * Excludes rides whose latest booking has passed at the request's `bookingTime`. `tripMask` omits a trip from the
 * search if its first run in the window is too late to book. `isTooLate` is the exact rule for found rides. Requests
 * without a booking time skip this module.
 */
import type { BookingArrangement, ServiceJourney } from '../model/entities.ts';
import type { LineIndex, ServiceDay, ServiceJourneyIndex, TripIndex } from '../model/indices.ts';
import type { Timetable } from '../model/timetable.ts';
import type { Ride } from '../search/search-types.ts';

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

  /** Returns `mask` without the trips whose first departure at or after `from` can no longer be booked. */
  tripMask(mask: Uint8Array | undefined, bookingTime: number, from: number): Uint8Array | undefined {
    const { transit, catalogue } = this.#timetable;
    this.#bookable ??= this.#findBookable();
    let result: Uint8Array | undefined;
    for (const index of this.#bookable) {
      const journey = catalogue.serviceJourneys.at(index);
      for (const trip of transit.tripsOfJourney(index)) {
        const day = this.#firstRun(trip, from);
        if (day === undefined || !this.#isTooLateEverywhere(journey, trip, day, bookingTime)) continue;
        result ??= mask?.slice() ?? new Uint8Array(transit.tripCount).fill(1);
        result[trip] = 0;
      }
    }
    return result ?? mask;
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

  #firstRun(trip: TripIndex, from: number): ServiceDay | undefined {
    const { transit } = this.#timetable;
    const zone = transit.routeZone[transit.routeOf(trip)] as number;
    const departure = transit.departureAt(trip, 0);
    return transit.activeDays(trip).find((day) => transit.dayStart(zone, day) + departure >= from);
  }

  #isTooLateEverywhere(journey: ServiceJourney, trip: TripIndex, day: ServiceDay, bookingTime: number): boolean {
    const { transit } = this.#timetable;
    const route = transit.routeOf(trip);
    const stops = (transit.routeStopsStart[route + 1] as number) - (transit.routeStopsStart[route] as number);
    const start = transit.dayStart(transit.routeZone[route] as number, day);
    for (let position = 0; position < stops - 1; position += 1) {
      const departure = start + transit.departureAt(trip, position);
      if (!this.#isAfterDeadline(journey, trip, day, position, departure, bookingTime)) return false;
    }
    return true;
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
    const zone = transit.routeZone[transit.routeOf(trip)] as number;
    return daySeconds !== undefined && bookingTime > transit.dayStart(zone, day) + daySeconds;
  }
}
