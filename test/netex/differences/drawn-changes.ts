/**
 * Draws a timetable and changes to it. Departures of a line and direction are two hours apart, and a journey that comes
 * anew has a place of its own: so a person too would say which journey is which.
 */
import { seededRandom } from '../../support/zip-samples.ts';
import type { DrawnJourney, DrawnLine, DrawnTimetable } from '../support/drawn-timetable.ts';

const SLOT_SECONDS = 7_200;
const SLOTS = 12;
const STOPS = 14;
const DAYS = 60;
/** The receipt, and first day that is compared: the calendars begin before. */
export const FROM_DAY = 21_000;

type Random = (below: number) => number;

export function drawTimetable(random: Random): DrawnTimetable {
  const stops = Array.from({ length: STOPS }, (_, at) => ({
    id: `NSR:Quay:${at}`,
    name: `Stop ${at}`,
    latitude: 59 + at / 10,
    longitude: 10,
  }));
  const dayTypes = new Map(['A', 'B', 'C', 'D'].map((id) => [id, drawDays(random)]));
  const timetable: DrawnTimetable = { stops, lines: [], dayTypes };
  for (let line = 0; line < 4; line++) timetable.lines.push(drawLine(random, timetable, line));
  return timetable;
}

function drawDays(random: Random): number[] {
  const first = FROM_DAY - 5 + random(10);
  const days = Array.from({ length: DAYS }, (_, day) => first + day).filter(() => random(3) > 0);
  return [...new Set([first, ...days])];
}

function drawLine(random: Random, timetable: DrawnTimetable, number: number): DrawnLine {
  const line: DrawnLine = {
    id: `ABC:Line:${number}`,
    name: `Line ${number}`,
    publicCode: String(number),
    mode: 'bus',
    journeys: [],
  };
  for (let slot = 0; slot < SLOTS; slot++) {
    for (const direction of ['outbound', 'inbound'] as const) {
      if (random(3) > 0) line.journeys.push(drawJourney(random, timetable, line, direction, slot));
    }
  }
  return line;
}

function drawJourney(
  random: Random,
  { dayTypes }: DrawnTimetable,
  line: DrawnLine,
  direction: DrawnJourney['direction'],
  slot: number,
): DrawnJourney {
  const first = random(STOPS - 5);
  // Fixed ends for the line and direction, so that only the slot tells journeys apart.
  const start = Number(line.id.split(':')[2]) % 5;
  const between = [first % 3 === 0 ? start + 2 : start + 1, start + 3];
  const ways = [start, ...between, start + 4].map((stop) => `NSR:Quay:${stop}`);
  const stops = direction === 'outbound' ? ways : ways.toReversed();
  const key = `${line.id}/${direction}/${slot}`;
  return {
    key,
    id: `ABC:ServiceJourney:${key.replaceAll(/[:/]/g, '-')}`,
    direction,
    stops,
    times: stops.map((_, at) => slot * SLOT_SECONDS + at * 300),
    dayType: [...dayTypes.keys()][random(dayTypes.size)] as string,
  };
}

/** A changed copy. With `newIds`, every journey has an id that no journey had before. */
export function drawChanges(seed: number, { newIds }: { readonly newIds: boolean }) {
  const random = seededRandom(seed);
  const before = drawTimetable(random);
  const after = structuredClone(before);
  const used = new Set(before.lines.flatMap(({ journeys }) => journeys.map(({ key }) => key)));
  const changes = 1 + random(8);
  for (let change = 0; change < changes; change++) CHANGES[random(CHANGES.length)]?.(random, after, used);
  if (newIds) {
    for (const { journeys } of after.lines) {
      for (const journey of journeys) journey.id = `ABC:ServiceJourney:new-${random(2 ** 30)}-${journey.key.length}`;
    }
  }
  return { before, after };
}

type Change = (random: Random, timetable: DrawnTimetable, used: Set<string>) => void;

const onJourney =
  (apply: (journey: DrawnJourney, random: Random, timetable: DrawnTimetable) => void): Change =>
  (random, timetable) => {
    const line = timetable.lines[random(timetable.lines.length)];
    const journey = line?.journeys[random(line.journeys.length)];
    if (journey) apply(journey, random, timetable);
  };

const CHANGES: readonly Change[] = [
  (random, { lines }) => void lines.splice(random(lines.length), 1),
  (random, timetable, used) => {
    const number = 10 + random(1_000);
    if (timetable.lines.some(({ id }) => id === `ABC:Line:${number}`)) return;
    const line = drawLine(random, timetable, number);
    for (const { key } of line.journeys) used.add(key);
    timetable.lines.push(line);
  },
  (random, { lines }) => {
    const line = lines[random(lines.length)];
    if (line) [line.name, line.publicCode] = [`Renamed ${random(100)}`, `R${random(10)}`];
  },
  (random, { lines }) => {
    const line = lines[random(lines.length)];
    if (line) line.mode = 'tram';
  },
  (random, { lines }) => {
    const line = lines[random(lines.length)];
    line?.journeys.splice(random(line.journeys.length), 1);
  },
  (random, timetable, used) => {
    const line = timetable.lines[random(timetable.lines.length)];
    if (!line) return;
    const made = drawJourney(random, timetable, line, 'outbound', random(SLOTS));
    if (!used.has(made.key)) line.journeys.push(made);
    used.add(made.key);
  },
  onJourney((journey, random) => {
    const later = 60 * (1 + random(10));
    journey.times = journey.times.map((time, at) => time + (at === 0 ? 0 : later));
  }),
  onJourney((journey) => {
    if (journey.stops.length < 4) return;
    journey.stops = journey.stops.toSpliced(1, 1);
    journey.times = journey.times.toSpliced(1, 1);
  }),
  onJourney((journey, random, { dayTypes }) => {
    journey.dayType = [...dayTypes.keys()][random(dayTypes.size)] as string;
  }),
  (random, { stops }) => {
    const stop = stops[random(stops.length)];
    if (stop) stop.name = `Renamed ${random(100)}`;
  },
  (random, { stops }) => {
    const stop = stops[random(stops.length)];
    if (stop) stop.latitude = Number((stop.latitude + 0.001).toFixed(3));
  },
  (random, { dayTypes }) => {
    const id = [...dayTypes.keys()][random(dayTypes.size)] as string;
    const days = dayTypes.get(id) ?? [];
    dayTypes.set(id, days.toSpliced(random(days.length), 1));
  },
];
