/**
 * The whole demo region for one date: places and lines are the same on every date, only the days differ.
 * Callers: generate.ts, tests.
 */
import { buildBlocks } from './blocks.ts';
import { planCoastLines } from './coast-lines.ts';
import { buildDatedJourneys } from './dated-journeys.ts';
import { drawHubs } from './hubs.ts';
import { buildInterchanges } from './interchanges.ts';
import type { Line, LineSpec, Region } from './model.ts';
import { createNames } from './names.ts';
import { createRandom } from './random.ts';
import { planRegionLines } from './region-lines.ts';
import { drawRoads } from './roads.ts';
import { addDays, listDays, parseDate } from './service-days.ts';
import { StopPlaces } from './stop-places.ts';
import { buildJourneys, buildPatterns } from './timetable.ts';
import { drawSpokes, planTownLines } from './town-lines.ts';
import { createZones } from './zones.ts';

const SEED = 'samferd demo region 1';
export const TOWN = 'Nordhamn';
export const DAYS_BEFORE = 1;
export const DAYS_AFTER = 35;

/** `numbers`: of the lines to run; all unless given. Places are the same with any. */
export function createRegion(date: string, numbers?: readonly number[]): Region {
  const today = parseDate(date);
  const firstDay = addDays(today, -DAYS_BEFORE);
  const lastDay = addDays(today, DAYS_AFTER);
  const names = createNames(SEED);
  const random = createRandom(SEED);
  const zones = createZones(TOWN, names);
  const places = new StopPlaces(zones);
  const hubs = drawHubs(TOWN, places);
  const map = { town: TOWN, hubs, spokes: drawSpokes(places, names, random), names, places, random };
  const days = listDays(firstDay, lastDay);
  const townLines = planTownLines(map);
  const roads = drawRoads(map);
  const specs = [...townLines, ...planRegionLines(map, roads), ...planCoastLines(map, roads)];
  const wanted = numbers === undefined ? specs : specs.filter(({ number }) => numbers.includes(number));
  const lines = wanted.map((spec) => buildLine(spec, days));
  return { firstDay, lastDay, zones: zones.all, stopPlaces: places.all, lines, interchanges: buildInterchanges(lines) };
}

function buildLine(spec: LineSpec, days: readonly string[]): Line {
  const { out, back, lateOut, lateBack } = buildPatterns(spec);
  const planned = buildJourneys(spec, { out, back, ...(lateOut && lateBack && { lateOut, lateBack }) });
  const dated = spec.dated ? buildDatedJourneys(planned, days) : { journeys: planned, datedJourneys: [] };
  const schedule = buildBlocks(spec, dated.journeys);
  const used = new Set(dated.journeys.map((journey) => journey.pattern));
  const patterns = [out, back, lateOut, lateBack].filter((pattern) => pattern !== undefined && used.has(pattern));
  return {
    spec,
    patterns: [...patterns.filter((pattern) => pattern !== undefined), ...schedule.patterns],
    journeys: dated.journeys,
    datedJourneys: dated.datedJourneys,
    deadRuns: schedule.deadRuns,
    blocks: schedule.blocks,
  };
}
