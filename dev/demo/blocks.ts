/**
 * Makes blocks, the work of one vehicle in a day. Each journey starts at the stop where the one before ended. Near the
 * depot, a dead run leads there before the first journey and after the last. One block never mixes day types. Callers:
 * the region.
 */
import { distanceMetres } from './geometry.ts';
import type { Block, DayTypeKey, DeadRun, Journey, LineSpec, Pattern, Quay } from './model.ts';
import { at } from './random.ts';
import { buildPattern, endOf, timeKey } from './timetable.ts';

const DEFAULT_TURN_MINUTES = 6;
const LONGEST_WAIT_MINUTES = 150;
/** A bus drives at most this distance without passengers. Beyond it, the bus stays out overnight. */
const DEAD_RUN_METRES = { least: 300, most: 9000 };

export interface Schedule {
  readonly blocks: readonly Block[];
  readonly deadRuns: readonly DeadRun[];
  readonly patterns: readonly Pattern[];
}

export function buildBlocks(spec: LineSpec, journeys: readonly Journey[]): Schedule {
  const emptyPatterns = new Map<string, Pattern>();
  const deadRuns: DeadRun[] = [];
  const blocks: Block[] = [];
  const byDayType = Map.groupBy(journeys, (journey) => journey.dayType);
  for (const [dayType, list] of byDayType) {
    if (!spec.blocks || !dayType) continue;
    chain(list, spec.turnMinutes ?? DEFAULT_TURN_MINUTES).forEach((tour, index) => {
      const key = `${dayType}-${index + 1}`;
      const out = deadRun(spec, emptyPatterns, 'garageRunOut', dayType, key, at(tour, 0));
      const home = deadRun(spec, emptyPatterns, 'garageRunIn', dayType, key, at(tour, -1));
      deadRuns.push(...[out, home].filter((run) => run !== undefined));
      const parts = [out, ...tour, home].filter((part) => part !== undefined);
      blocks.push({ key, dayType, start: at(parts, 0).departure, end: endOf(at(parts, -1)), parts });
    });
  }
  return { blocks, deadRuns, patterns: [...emptyPatterns.values()] };
}

/** Builds the chains greedily: the vehicle that has waited longest at the stop place takes the next departure. */
function chain(journeys: readonly Journey[], turnMinutes: number): Journey[][] {
  const tours: Journey[][] = [];
  for (const journey of journeys.toSorted((a, b) => a.departure - b.departure || (a.key < b.key ? -1 : 1))) {
    const start = at(journey.pattern.quays, 0).place;
    const free = tours.find((tour) => {
      const last = at(tour, -1);
      const wait = journey.departure - endOf(last);
      return at(last.pattern.quays, -1).place === start && wait >= turnMinutes && wait <= LONGEST_WAIT_MINUTES;
    });
    if (free) free.push(journey);
    else tours.push([journey]);
  }
  return tours;
}

function deadRun(
  spec: LineSpec,
  patterns: Map<string, Pattern>,
  type: DeadRun['type'],
  dayType: DayTypeKey,
  blockKey: string,
  next: Journey,
): DeadRun | undefined {
  const { depot } = spec;
  if (!depot) return undefined;
  const stop = type === 'garageRunOut' ? at(next.pattern.quays, 0) : at(next.pattern.quays, -1);
  const metres = distanceMetres(depot.position, stop.position);
  if (metres < DEAD_RUN_METRES.least || metres > DEAD_RUN_METRES.most) return undefined;
  const quays = type === 'garageRunOut' ? [depot, stop] : [stop, depot];
  const pattern = emptyPattern(spec, patterns, quays);
  const departure = type === 'garageRunOut' ? next.departure - at(pattern.arrivals, -1) - 3 : endOf(next) + 3;
  return {
    key: `${blockKey}-${type === 'garageRunOut' ? 'out' : 'in'}-${timeKey(departure)}`,
    pattern,
    departure,
    dayType,
    type,
  };
}

function emptyPattern(spec: LineSpec, patterns: Map<string, Pattern>, quays: readonly Quay[]): Pattern {
  const key = `E-${quays.map((quay) => quay.number).join('-')}`;
  const known = patterns.get(key);
  if (known) return known;
  const direction = quays[0] === spec.depot ? 'outbound' : 'inbound';
  const pattern = {
    ...buildPattern(spec, { key, direction, quays, hub: undefined }),
    displays: ['Ikke i trafikk', undefined],
  };
  patterns.set(key, pattern);
  return pattern;
}
