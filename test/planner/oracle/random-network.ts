/**
 * Draws small networks and requests from a seed. They are dense enough that journeys compete, and have every feature of
 * a search. Times are few and round, so that equal arrivals, tight transfers and ties are common.
 */
import { createRandom, type Random } from '../../../dev/demo/random.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import type { TransportMode } from '../../../planner/model/transport-mode.ts';
import { startOfServiceDay } from './day-start.ts';
import type {
  SmallFootpath,
  SmallInterchange,
  SmallJourney,
  SmallLine,
  SmallNetwork,
  SmallRequest,
  SmallVia,
} from './small-network.ts';

const ZONES = ['Europe/Oslo', 'Europe/Oslo', 'America/New_York', 'UTC'];
/** Ordinary days, and the nights of clock changes in Oslo. */
const FIRST_DAYS = ['2026-06-10', '2026-10-24', '2026-03-28'];
const MODES: readonly TransportMode[] = ['bus', 'tram', 'rail', 'water'];
const HOUR = 3600;

export interface Trial {
  readonly network: SmallNetwork;
  readonly request: SmallRequest;
}

function serviceDay(date: string): ServiceDay {
  return (Date.parse(date) / 86_400_000) as ServiceDay;
}

function drawJourney(random: Random, hops: number, days: readonly ServiceDay[], start: number): SmallJourney {
  const arrivals: number[] = [];
  const departures: number[] = [];
  let time = start;
  for (let position = 0; position <= hops; position += 1) {
    arrivals.push(time);
    if (random.chance(0.3)) time += random.integer(1, 4) * 60;
    departures.push(time);
    time += random.integer(0, 8) * 120;
  }
  const runs = days.filter(() => random.chance(0.7));
  return { arrivals, departures, days: runs.length === 0 ? days.slice(0, 1) : runs, accessible: random.chance(0.7) };
}

function drawLine(random: Random, stopCount: number, days: readonly ServiceDay[], from: number): SmallLine {
  const hops = random.integer(1, 4);
  const stops: SmallLine['stops'][number][] = [];
  while (stops.length <= hops) {
    const stop = random.integer(0, stopCount - 1);
    if (stops.at(-1)?.stop === stop) continue;
    stops.push({ stop, forBoarding: random.chance(0.9), forAlighting: random.chance(0.9) });
  }
  const journeys = Array.from({ length: random.integer(1, 5) }, () =>
    drawJourney(random, hops, days, from + random.integer(0, 24) * 300),
  );
  return { mode: random.pick(MODES), stops, journeys };
}

function drawFootpaths(random: Random, stopCount: number): SmallFootpath[] {
  const paths: SmallFootpath[] = [];
  for (let from = 0; from < stopCount; from += 1) {
    for (let to = 0; to < stopCount; to += 1) {
      if (from === to || !random.chance(0.2)) continue;
      const minimumSeconds = random.chance(0.3) ? random.integer(1, 6) * 60 : 0;
      const wheelchairSeconds = random.chance(0.2) ? random.integer(0, 12) * 60 : undefined;
      paths.push({ from, to, metres: random.integer(1, 20) * 60, minimumSeconds, wheelchairSeconds });
    }
  }
  return paths;
}

function drawInterchange(random: Random, lines: readonly SmallLine[]): SmallInterchange {
  const end = (alighting: boolean): [number, number, number] => {
    const line = random.integer(0, lines.length - 1);
    const { stops, journeys } = lines[line] as SmallLine;
    const position = alighting ? random.integer(1, stops.length - 1) : random.integer(0, stops.length - 2);
    return [line, random.integer(0, journeys.length - 1), position];
  };
  const staySeated = random.chance(0.4);
  return {
    from: end(true),
    to: end(false),
    staySeated,
    guaranteed: random.chance(0.6),
    notAllowed: false,
  };
}

/** A change that is not allowed between two calls at one stop: of two journeys, or of all of two lines. */
function drawBans(random: Random, lines: readonly SmallLine[]): SmallInterchange[] {
  const drawn = drawInterchange(random, lines);
  const stop = (lines[drawn.from[0]] as SmallLine).stops[drawn.from[2]]?.stop;
  const calls = lines.flatMap(({ stops, journeys }, line) =>
    stops
      .slice(0, -1)
      .flatMap((call, position) =>
        call.stop === stop && line !== drawn.from[0]
          ? [...journeys.keys()].map((journey) => [line, journey, position] as const)
          : [],
      ),
  );
  if (calls.length === 0) return [];
  const to = random.pick(calls);
  if (random.chance(0.1)) return [{ ...drawn, to, notAllowed: true }];
  const journeysOf = (line: number): number[] => [...(lines[line]?.journeys.keys() ?? [])];
  return journeysOf(drawn.from[0]).flatMap((from) =>
    journeysOf(to[0]).map(
      (other): SmallInterchange => ({
        ...drawn,
        from: [drawn.from[0], from, drawn.from[2]],
        to: [to[0], other, to[2]],
        notAllowed: true,
      }),
    ),
  );
}

function drawVia(random: Random, stopCount: number): SmallVia {
  const kind = random.pick(['visit', 'passThrough'] as const);
  const stops = [...new Set(Array.from({ length: random.integer(1, 3) }, () => random.integer(0, stopCount - 1)))];
  return { kind, stops, minimumWaitSeconds: kind === 'visit' && random.chance(0.4) ? random.integer(1, 4) * 120 : 0 };
}

function drawEnds(random: Random, stopCount: number): SmallRequest['access'] {
  const stops = new Set(Array.from({ length: random.integer(1, 2) }, () => random.integer(0, stopCount - 1)));
  return [...stops].map((stop) => ({ stop, walkSeconds: random.chance(0.5) ? 0 : random.integer(1, 300) }));
}

/** A third of all runs. */
function drawRuns(random: Random, { lines }: SmallNetwork): SmallRequest['closedRuns'] {
  return lines.flatMap(({ journeys }, line) =>
    journeys.flatMap(({ days }, journey) =>
      days.filter(() => random.chance(0.33)).map((day) => [line, journey, day] as const),
    ),
  );
}

function drawRequest(random: Random, network: SmallNetwork, start: number): SmallRequest {
  const some = <Item>(chance: number, item: () => Item): Item[] => (random.chance(chance) ? [item()] : []);
  const arriveBy = random.chance(0.4);
  return {
    access: drawEnds(random, network.stopCount),
    egress: drawEnds(random, network.stopCount),
    via: [
      ...some(0.2, () => drawVia(random, network.stopCount)),
      ...some(0.08, () => drawVia(random, network.stopCount)),
    ],
    time: start + random.integer(0, 6) * 600 + random.integer(0, 59) + (arriveBy ? 3 * HOUR : 0),
    windowSeconds: random.pick([HOUR, 3 * HOUR, 12 * HOUR, 30 * HOUR]),
    arriveBy,
    maximumRides: random.pick([1, 2, 3, 3]),
    maximumAdditionalRides: random.pick([0, 1, 5]),
    walkSpeed: random.pick([1, 1.33, 1.8]),
    transferSlackSeconds: random.pick([0, 60, 120]),
    boardSlack: random.chance(0.3) ? { bus: 60, rail: 120 } : {},
    alightSlack: random.chance(0.3) ? { rail: 60, water: 180 } : {},
    waitReluctance: random.pick([80, 100, 150]),
    walkReluctance: random.pick([100, 200, 400]),
    boardCost: random.pick([0, 6000, 60_000]),
    transferCost: random.pick([0, 0, 12_000]),
    maximumTransferSeconds: random.pick([300, 1800]),
    relaxSeconds: random.pick([0, 600, 7200]),
    bannedLines: some(0.15, () => random.integer(0, network.lines.length - 1)),
    bannedJourneys: some(0.15, () => [random.integer(0, network.lines.length - 1), 0] as const),
    bannedStops: some(0.1, () => random.integer(0, network.stopCount - 1)),
    wheelchair: random.chance(0.2),
    useInterchanges: random.chance(0.8),
    closedRuns: random.chance(0.2) ? drawRuns(random, network) : [],
  };
}

/** The network and request of a seed, equal on every machine. */
export function drawTrial(seed: string): Trial {
  const random = createRandom(seed);
  const zone = random.pick(ZONES);
  const first = serviceDay(random.pick(FIRST_DAYS));
  const days = Array.from({ length: random.integer(1, 3) }, (_, index) => (first + index) as ServiceDay);
  const from = random.pick([1, 6, 23, 24, 26, 46]) * HOUR;
  const stopCount = random.integer(3, 6);
  const lines = Array.from({ length: random.integer(4, 8) }, () => drawLine(random, stopCount, days, from));
  const network: SmallNetwork = {
    zone,
    stopCount,
    transferSeconds: Array.from({ length: stopCount }, () => (random.chance(0.2) ? random.integer(1, 5) * 60 : 0)),
    wheelchairTransferSeconds: Array.from({ length: stopCount }, () =>
      random.chance(0.2) ? random.integer(0, 10) * 60 : undefined,
    ),
    footpaths: drawFootpaths(random, stopCount),
    lines,
    interchanges: [
      ...Array.from({ length: random.integer(0, 3) }, () => drawInterchange(random, lines)),
      ...Array.from({ length: random.chance(0.4) ? random.integer(6, 16) : 0 }, () => drawBans(random, lines)).flat(),
    ],
  };
  return { network, request: drawRequest(random, network, startOfServiceDay(zone, first) + from) };
}
