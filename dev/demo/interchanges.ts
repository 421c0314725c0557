/**
 * Makes guaranteed interchanges: the bus waits for the ferry, the ferry for the bus, the bus for the train. Both
 * journeys run on the same day type, at stops a short walk apart. Callers: the region.
 */
import { distanceMetres } from './geometry.ts';
import type { Interchange, Journey, Line } from './model.ts';
import { at } from './random.ts';
import { arrivalAt } from './timetable.ts';

interface Wish {
  readonly from: number;
  readonly to: number;
  readonly most: number;
}

/** By line number. */
const WISHES: readonly Wish[] = [
  { from: 120, to: 301, most: 20 },
  { from: 301, to: 120, most: 20 },
  { from: 302, to: 121, most: 20 },
  { from: 20, to: 301, most: 15 },
  { from: 301, to: 20, most: 15 },
  { from: 201, to: 100, most: 15 },
  { from: 201, to: 111, most: 15 },
  { from: 111, to: 201, most: 15 },
  { from: 51, to: 301, most: 10 },
  { from: 52, to: 301, most: 8 },
];
const WALK_METRES = 600;
const WAIT = { least: 4, most: 25 };

interface Meeting {
  readonly fromStop: number;
  readonly toStop: number;
}

export function buildInterchanges(lines: readonly Line[]): Interchange[] {
  return WISHES.flatMap((wish) => {
    const from = lines.find((line) => line.spec.number === wish.from);
    const to = lines.find((line) => line.spec.number === wish.to);
    return from && to ? between(from, to).slice(0, wish.most) : [];
  });
}

function between(from: Line, to: Line): Interchange[] {
  return from.journeys.flatMap((journey) => {
    let best: { next: Journey; meeting: Meeting; wait: number } | undefined;
    for (const next of to.journeys) {
      if (next.dayType !== journey.dayType || journey.restricted || next.restricted) continue;
      const meeting = meet(journey, next);
      if (!meeting) continue;
      const wait = next.departure + at(next.pattern.departures, meeting.toStop) - arrivalAt(journey, meeting.fromStop);
      if (wait < WAIT.least || wait > WAIT.most || (best && best.wait <= wait)) continue;
      best = { next, meeting, wait };
    }
    if (!best) return [];
    return [
      {
        from: { line: from, journey, quay: at(journey.pattern.quays, best.meeting.fromStop) },
        to: { line: to, journey: best.next, quay: at(best.next.pattern.quays, best.meeting.toStop) },
        staySeated: false,
      },
    ];
  });
}

/** Caches the nearest pair of stops for alighting and boarding, which is the same for all journeys of two patterns. */
const meetings = new WeakMap<object, WeakMap<object, Meeting | null>>();

function meet(journey: Journey, next: Journey): Meeting | null {
  const known = meetings.get(journey.pattern) ?? new WeakMap<object, Meeting | null>();
  meetings.set(journey.pattern, known);
  const found = known.get(next.pattern);
  if (found !== undefined) return found;
  let best: (Meeting & { metres: number }) | null = null;
  journey.pattern.quays.forEach((quay, fromStop) => {
    next.pattern.quays.forEach((other, toStop) => {
      if (fromStop === 0 || toStop === next.pattern.quays.length - 1) return;
      const metres = distanceMetres(quay.position, other.position);
      if (metres <= WALK_METRES && (!best || metres < best.metres)) best = { fromStop, toStop, metres };
    });
  });
  known.set(next.pattern, best);
  return best;
}
