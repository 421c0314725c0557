/**
 * Turns the resolved input into the numbers that `buildTransit` takes. The times of journeys are passed on as packed.
 */
import { INTERCHANGE_GUARANTEED, INTERCHANGE_STAY_SEATED, PRIORITIES } from '../catalogue/tables.ts';
import { GrowingInt32 } from '../model/growing-array.ts';
import { FOR_ALIGHTING, FOR_BOARDING, GUARANTEED, NOT_ALLOWED, STAY_SEATED } from '../model/transit.ts';
import {
  NOT_SEARCHABLE,
  type TransitInput,
  WHEELCHAIR_ACCESSIBLE,
  WHEELCHAIR_INACCESSIBLE,
} from '../transit/transit-input.ts';
import { clipDaySets } from './clip-day-sets.ts';
import type { Footpaths } from './footpaths.ts';
import { type Numbering, rowOf } from './numbering.ts';
import type { PackedInput } from './packed-input.ts';
import type { Resolved } from './resolve.ts';
import { mainTimeZone } from './time-zones.ts';

/** The number of a submode has 16 bits. */
const MOST_SUBMODES = 0xffff;

export function transitOfInput(input: PackedInput, resolved: Resolved, footpaths: Footpaths): TransitInput {
  return {
    ...resolved.stopPositions,
    stopCount: resolved.quay.order.length,
    ...patternsOf(input, resolved),
    ...journeysOf(input, resolved),
    ...clipDaySets(input, resolved.serviceJourney, resolved.period),
    ...footpaths,
    ...interchangesOf(input, resolved),
  };
}

function patternsOf(input: PackedInput, resolved: Resolved) {
  const { order } = resolved.journeyPattern;
  const quays = input.tables.patternStop.numbers('quay');
  const flags = input.tables.patternStop.numbers('flags');
  const rows = resolved.patternStopRows;
  return {
    patternCount: order.length,
    patternStopsStart: resolved.patternStopsStart,
    patternStops: rows.map((row) => resolved.quay.indexOf[quays[row] ?? 0] ?? -1),
    patternStopFlags: Uint8Array.from(rows, (row) => (flags[row] ?? 0) & (FOR_BOARDING | FOR_ALIGHTING)),
    patternLine: references(input.tables.journeyPattern.numbers('line'), order, resolved.line),
  };
}

function journeysOf(input: PackedInput, resolved: Resolved) {
  const { order } = resolved.serviceJourney;
  const journeys = input.tables.serviceJourney;
  const zones = zonesOf(input, resolved);
  const submodes = submodesOf(input, resolved);
  const modes = journeys.numbers('mode');
  const accessibilities = journeys.numbers('accessibility');
  const patterns = journeys.numbers('pattern');
  const patternLine = input.tables.journeyPattern.numbers('line');
  const submodeNumbers = journeys.numbers('submode');
  const zoneNumbers = resolved.zoneOfLine.map((zone) => zones.indexOf(zone));
  const lineOf = (row: number): number =>
    resolved.line.indexOf[patternLine[rowOf(resolved.journeyPattern, patterns[row] ?? 0)] ?? 0] ?? -1;
  return {
    journeyCount: order.length,
    journeyPattern: references(patterns, order, resolved.journeyPattern),
    journeyMode: Uint8Array.from(order, (row) => modes[row] ?? 0),
    journeySubmode: Uint16Array.from(order, (row) => submodes.numberOf.get(submodeNumbers[row] ?? 0) ?? 0),
    submodeNames: submodes.names,
    journeyZone: Uint8Array.from(order, (row) => zoneNumbers[lineOf(row)] ?? 0),
    zones,
    journeyFlags: Uint8Array.from(order, (row) => journeyFlags(input, row, accessibilities[row] ?? 0)),
    journeyTimesStart: order.map((row) => input.journeyTimesStart.at(row)),
    arrivals: input.arrivals.view(),
    departures: input.departures.view(),
    ...startOffsetsOf(input, order),
  };
}

/** The zone of most authorities comes first, as the default zone. The others follow by name. */
function zonesOf(input: PackedInput, resolved: Resolved): string[] {
  const names = [...new Set(resolved.zoneOfLine)].sort();
  const main = mainTimeZone(input);
  return names.includes(main) ? [main, ...names.filter((name) => name !== main)] : names;
}

function journeyFlags(input: PackedInput, row: number, accessibility: number): number {
  const wheelchair = [0, WHEELCHAIR_ACCESSIBLE, WHEELCHAIR_INACCESSIBLE][accessibility] ?? 0;
  return wheelchair | (input.journeySearchable.at(row) === 1 ? 0 : NOT_SEARCHABLE);
}

function startOffsetsOf(input: PackedInput, order: Int32Array) {
  const startOffsets = new GrowingInt32();
  const startOffsetsStart = new Int32Array(order.length + 1);
  for (let index = 0; index < order.length; index++) {
    const row = order[index] ?? 0;
    const end = input.journeyOffsetsStart.at(row + 1);
    for (let entry = input.journeyOffsetsStart.at(row); entry < end; entry++)
      startOffsets.push(input.startOffsets.at(entry));
    startOffsetsStart[index + 1] = startOffsets.length;
  }
  return { startOffsetsStart, startOffsets: startOffsets.view() };
}

/** Names in alphabetical order, so that their numbers do not depend on the order of adding; 0 is none. */
function submodesOf(input: PackedInput, resolved: Resolved) {
  const column = input.tables.serviceJourney.numbers('submode');
  const used = new Set<number>();
  for (const row of resolved.serviceJourney.order) used.add(column[row] ?? 0);
  used.delete(0);
  const sorted = [...used].sort((one, other) => input.texts.compare(one, other)).slice(0, MOST_SUBMODES);
  return {
    names: ['', ...sorted.map((number) => input.texts.text(number) ?? '')],
    numberOf: new Map(sorted.map((number, index) => [number, index + 1])),
  };
}

function interchangesOf(input: PackedInput, resolved: Resolved) {
  const { order } = resolved.interchange;
  const table = input.tables.interchange;
  const flags = table.numbers('flags');
  const priorities = table.numbers('priority');
  const fromPositions = table.numbers('fromPosition');
  const toPositions = table.numbers('toPosition');
  const notAllowed = PRIORITIES.indexOf('notAllowed');
  return {
    interchangeCount: order.length,
    interchangeFromJourney: references(table.numbers('fromJourney'), order, resolved.serviceJourney),
    interchangeFromPosition: order.map((row) => fromPositions[row] ?? 0),
    interchangeToJourney: references(table.numbers('toJourney'), order, resolved.serviceJourney),
    interchangeToPosition: order.map((row) => toPositions[row] ?? 0),
    interchangeFlags: Uint8Array.from(order, (row) => {
      const isStaySeated = ((flags[row] ?? 0) & INTERCHANGE_STAY_SEATED) !== 0;
      const isGuaranteed = ((flags[row] ?? 0) & INTERCHANGE_GUARANTEED) !== 0;
      const isNotAllowed = priorities[row] === notAllowed;
      return (isStaySeated ? STAY_SEATED : 0) | (isGuaranteed ? GUARANTEED : 0) | (isNotAllowed ? NOT_ALLOWED : 0);
    }),
    interchangeIndex: order.map((_, index) => index),
  };
}

function references(column: Int32Array, order: Int32Array, target: Numbering): Int32Array {
  return order.map((row) => target.indexOf[column[row] ?? 0] ?? -1);
}
