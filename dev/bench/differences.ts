/**
 * Compares two datasets of many journeys, as the worker does after a publication: `npm run bench:differences --
 * [journeys] [--new-ids]`. 300,000 by default, 20 passing times each. Each side is made and packed first; the figures
 * are of reading both and comparing them, on one core. Linux only.
 */
import { compareOutlines } from '../../netex/differences/compare-outlines.ts';
import { Vocabulary } from '../../netex/differences/outline.ts';
import { readOutline } from '../../netex/differences/outline-reader.ts';
import { type Archive, bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive } from '../../netex/zip/index.ts';
import { archiveBytesOf, type DrawnLine, type DrawnTimetable } from '../../test/netex/support/drawn-timetable.ts';
import { peakMegabytes } from './memory.ts';

const JOURNEYS_A_LINE = 1_000;
const STOPS = 20;
const FIRST_DAY = 21_000;
/** Every journey with this remainder is retimed, runs on other days, or is gone. */
const ONE_IN = 50;

const journeysWanted = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 300_000);
const newIds = process.argv.includes('--new-ids');

function timetable(side: 'before' | 'after'): DrawnTimetable {
  const stops = Array.from({ length: 5_000 }, (_, at) => ({
    id: `NSR:Quay:${at}`,
    name: `Stop ${at}`,
    latitude: 59 + at / 10_000,
    longitude: 10,
  }));
  const days = Array.from({ length: 180 }, (_, day) => FIRST_DAY + day);
  const dayTypes = new Map(
    Array.from({ length: 20 }, (_, type) => [`D${type}`, days.filter((day) => day % (type + 2) > 0)] as const),
  );
  const lines = Array.from({ length: journeysWanted / JOURNEYS_A_LINE }, (_, line) => lineOf(line, side));
  return { stops, lines, dayTypes };
}

function lineOf(line: number, side: 'before' | 'after'): DrawnLine {
  const isAfter = side === 'after';
  const journeys = Array.from({ length: JOURNEYS_A_LINE }, (_, journey) => {
    const direction = journey % 2 === 0 ? ('outbound' as const) : ('inbound' as const);
    const start = (line * 37) % 4_900;
    const stops = Array.from({ length: STOPS }, (_, at) => `NSR:Quay:${start + at}`);
    const later = isAfter && journey % ONE_IN === 1 ? 120 : 0;
    const dayType = isAfter && journey % ONE_IN === 2 ? 0 : journey % 20;
    const times = stops.map((_, at) => journey * 80 + at * 90 + later);
    return {
      key: `${line}-${journey}`,
      id: `ABC:ServiceJourney:${newIds ? side : 'kept'}-${line}-${journey}`,
      direction,
      stops: direction === 'outbound' ? stops : stops.toReversed(),
      times,
      dayType: `D${dayType}`,
    };
  }).filter((_, journey) => !(isAfter && journey % ONE_IN === 3));
  return { id: `ABC:Line:${line}`, name: `Line ${line}`, publicCode: String(line), mode: 'bus', journeys };
}

const limits = { ...DEFAULT_ARCHIVE_LIMITS, maxRatio: Number.POSITIVE_INFINITY };

async function archiveFor(side: 'before' | 'after'): Promise<Archive> {
  return await openArchive(bufferRangeReader(archiveBytesOf(timetable(side))), limits);
}

const sizeOf = ({ entries }: Archive): number => entries.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000;

const archives = [await archiveFor('before'), await archiveFor('after')] as const;
global.gc?.();
const idle = process.memoryUsage().rss / 1_000_000;
console.log(
  `${archives.map((archive) => `${Math.round(sizeOf(archive))} MB`).join(' and ')} of XML; ${Math.round(idle)} MB held before`,
);
const began = performance.now();
let largest = 0;
const watch = setInterval(() => {
  largest = Math.max(largest, process.memoryUsage().rss / 1_000_000);
}, 20);
const vocabulary = new Vocabulary(FIRST_DAY);
const before = await readOutline({ archive: archives[0], vocabulary });
const after = await readOutline({ archive: archives[1], vocabulary });
const read = performance.now();
const { journeys, days } = await compareOutlines(before, after, vocabulary);
clearInterval(watch);
const done = performance.now();
const { lines: _lines, ...totals } = journeys;
console.log(JSON.stringify(totals), `${days.changed} of ${days.total} days changed`);
console.log(`read in ${((read - began) / 1_000).toFixed(1)} s, compared in ${((done - read) / 1_000).toFixed(2)} s`);
console.log(`peak ${Math.round(largest)} MB while comparing, of the whole process ${peakMegabytes(process.pid)} MB`);
