/**
 * Turns the plan of a line into patterns and journeys. It makes feasible running times, departures at even intervals,
 * and late journeys that begin or end in the middle of town. Callers: the region.
 */
import { distanceMetres } from './geometry.ts';
import type { DayTypeKey, Journey, LineSpec, Pattern, Quay } from './model.ts';
import { at } from './random.ts';
import { clockTime } from './service-days.ts';

/** Mean speed in km/h, and the maximum between neighbouring stops after rounding to minutes. */
interface Pace {
  readonly average: number;
  readonly highest: number;
}

const LATE_MINUTE = 22 * 60 + 30;
const SHORT_HOP_METRES = 700;

function paceOf(spec: Pick<LineSpec, 'mode' | 'submode'>, metres: number): Pace {
  switch (spec.mode) {
    case 'rail':
      return { average: spec.submode === 'longDistance' ? 105 : 88, highest: 150 };
    case 'tram':
      return { average: 26, highest: 44 };
    case 'coach':
      return { average: 64, highest: 74 };
    case 'water':
      return spec.submode === 'localCarFerry' ? { average: 23, highest: 28 } : { average: 35, highest: 38 };
    case 'bus':
      return metres < SHORT_HOP_METRES ? { average: 27, highest: 60 } : { average: 46, highest: 62 };
  }
}

/** Returns whole minutes, at least one, so that no two stops share a time and no vehicle is too fast. */
export function runningMinutes(spec: Pick<LineSpec, 'mode' | 'submode'>, from: Quay, to: Quay): number {
  const metres = distanceMetres(from.position, to.position);
  const pace = paceOf(spec, metres);
  const minutes = (kmh: number): number => (metres / 1000 / kmh) * 60;
  return Math.max(1, Math.round(minutes(pace.average)), Math.ceil(minutes(pace.highest)));
}

interface PatternPlan {
  readonly key: string;
  readonly direction: Pattern['direction'];
  readonly quays: readonly Quay[];
  /** Index within `quays`. */
  readonly hub: number | undefined;
}

export function buildPattern(spec: LineSpec, plan: PatternPlan): Pattern {
  const { key, direction, quays, hub } = plan;
  const arrivals = [0];
  const departures = [0];
  quays.slice(1).forEach((quay, index) => {
    const arrival = at(departures, index) + runningMinutes(spec, at(quays, index), quay);
    const pauses = hub === undefined ? spec.hub === undefined : index + 1 === hub;
    const dwell = pauses && index + 1 < quays.length - 1 ? (spec.dwellMinutes ?? 0) : 0;
    arrivals.push(arrival);
    departures.push(arrival + dwell);
  });
  const destination = at(quays, -1).place.name;
  const via = hub !== undefined && hub > 0 && hub < quays.length - 1 ? at(quays, hub).place.name : undefined;
  const displays = quays.map((_, index): string | undefined => {
    if (index === quays.length - 1) return undefined;
    if (index === 0) return via ? `${destination} via ${via}` : destination;
    return via && index === hub ? destination : undefined;
  });
  return { key, direction, quays, displays, via, arrivals, departures };
}

interface Patterns {
  readonly out: Pattern;
  readonly back: Pattern;
  readonly lateOut?: Pattern;
  readonly lateBack?: Pattern;
}

export function buildPatterns(spec: LineSpec): Patterns {
  const there = spec.halts.map((halt) => halt.there);
  const home = spec.halts.map((halt) => halt.back).reverse();
  const { hub } = spec;
  const hubBack = hub === undefined ? undefined : home.length - 1 - hub;
  const out = buildPattern(spec, { key: '1', direction: 'outbound', quays: there, hub });
  const back = buildPattern(spec, { key: '2', direction: 'inbound', quays: home, hub: hubBack });
  if (hub === undefined || hubBack === undefined) return { out, back };
  const lateOut = { key: '3', direction: 'outbound', quays: there.slice(hub), hub: 0 } as const;
  const lateBack = { key: '4', direction: 'inbound', quays: home.slice(0, hubBack + 1), hub: hubBack } as const;
  return { out, back, lateOut: buildPattern(spec, lateOut), lateBack: buildPattern(spec, lateBack) };
}

export function buildJourneys(spec: LineSpec, patterns: Patterns): Journey[] {
  const journeys: Journey[] = [];
  for (const direction of ['out', 'back'] as const) {
    for (const service of spec.services) {
      const shift = direction === 'out' ? 0 : Math.floor(service.every / 2);
      for (let minute = service.from + shift; minute <= service.to + shift; minute += service.every) {
        const late = minute >= LATE_MINUTE && minute < 24 * 60 + 20;
        const shortened = direction === 'out' ? patterns.lateOut : patterns.lateBack;
        const pattern = (late ? shortened : undefined) ?? patterns[direction];
        journeys.push(journey(spec, pattern, minute, service.dayType));
      }
    }
  }
  const first = journeys[0];
  if (spec.restricted === 'first-journey' && first) journeys[0] = { ...first, restricted: true };
  const last = journeys.at(-1);
  if (spec.bookedJourney && last) journeys[journeys.length - 1] = { ...last, booking: spec.bookedJourney };
  return journeys;
}

function journey(spec: LineSpec, pattern: Pattern, departure: number, dayType: DayTypeKey): Journey {
  return {
    key: `${pattern.key}-${dayType}-${timeKey(departure)}`,
    pattern,
    departure,
    dayType: spec.dated ? undefined : dayType,
    restricted: false,
    booking: undefined,
  };
}

/**
 * Returns `2510` for ten past one after the service day's midnight. Unlike the clock time, it is unique within a day.
 */
export function timeKey(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}${clockTime(minute).slice(3, 5)}`;
}

export function arrivalAt(journey: Journey, stop: number): number {
  return journey.departure + at(journey.pattern.arrivals, stop);
}

export function endOf(part: { departure: number; pattern: Pattern }): number {
  return part.departure + at(part.pattern.arrivals, -1);
}
