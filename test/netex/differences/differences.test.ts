/**
 * Differences between drawn timetables name exactly the changes that were drawn. A failure prints its seed;
 * `DIFFERENCES_SEED` repeats it.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { compareOutlines } from '../../../netex/differences/compare-outlines.ts';
import { WINDOW_DAYS } from '../../../netex/differences/day-sets.ts';
import { MOST_LISTED } from '../../../netex/differences/listed.ts';
import { Vocabulary } from '../../../netex/differences/outline.ts';
import { readOutline } from '../../../netex/differences/outline-reader.ts';
import { outlineRegister } from '../../../netex/differences/stop-outline.ts';
import { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive } from '../../../netex/zip/index.ts';
import { seededRandom } from '../../support/zip-samples.ts';
import { writeZip } from '../../support/zip-writer.ts';
import { archiveOf, type DrawnTimetable } from '../support/drawn-timetable.ts';
import { stopRegisterOf } from '../support/sample-files.ts';
import { commonFile, lineFile, operatingDays, type SmallJourney } from '../support/small-timetable.ts';
import { drawChanges, drawTimetable, FROM_DAY } from './drawn-changes.ts';
import { expectedDifferences } from './expected-differences.ts';

const ROUNDS = 40;
const given = process.env.DIFFERENCES_SEED;
const FIRST_SEED = given === undefined ? randomInt(2 ** 30) : Number(given);

async function compare(before: DrawnTimetable, after: DrawnTimetable, fromDay = FROM_DAY, register?: StopRegister) {
  const vocabulary = new Vocabulary(fromDay);
  const old = await readOutline({ archive: await archiveOf(before), vocabulary, register });
  const now = await readOutline({ archive: await archiveOf(after), vocabulary, register });
  return await compareOutlines(old, now, vocabulary);
}

function drawn(): { before: DrawnTimetable; after: DrawnTimetable } {
  const before = drawTimetable(seededRandom(1));
  return { before, after: structuredClone(before) };
}

describe('the differences between two datasets', () => {
  for (const newIds of [false, true]) {
    it(`are exactly the changes, ${newIds ? 'with new ids for all journeys' : 'by ids'}`, async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + (given === undefined ? ROUNDS : 1); seed++) {
        const { before, after } = drawChanges(seed, { newIds });
        const found = await compare(before, after);
        const expected = expectedDifferences(before, after);
        const { matchedBy, lines: _lines, ...totals } = found.journeys;
        const what = `DIFFERENCES_SEED=${seed}`;
        assert.equal(matchedBy, newIds ? 'times' : 'ids', what);
        assert.deepEqual(totals, expected.totals, what);
        assert.deepEqual(
          found.lines.items.map(({ change, lineId }) => `${change} ${lineId}`),
          expected.lines,
          what,
        );
        assert.deepEqual(
          found.stops.items.map(({ change, stopId }) => `${change} ${stopId}`),
          expected.stops,
          what,
        );
        const changed = found.days.items.filter((day) => day.before !== day.after);
        const days = Object.fromEntries(changed.map((day) => [day.day, [day.before, day.after]]));
        assert.deepEqual(days, expected.days, what);
      }
    });
  }

  it('are none between a dataset and itself', async () => {
    const { before, after } = drawn();
    const { lines, stops, journeys, days, calendars } = await compare(before, after);
    const { matchedBy, before: old, after: now, lines: ofLines, ...changes } = journeys;
    assert.deepEqual([matchedBy, old > 0, old === now, ofLines.total], ['ids', true, true, 0]);
    assert.deepEqual(new Set(Object.values(changes)), new Set([0]));
    assert.deepEqual([lines.total, stops.total, days.changed, calendars.total], [0, 0, 0, 0]);
  });

  it('tell what a line was called, and its mode', async () => {
    const { before, after } = drawn();
    Object.assign(after.lines[1] ?? {}, { name: 'Harbour', mode: 'tram' });
    const { items } = (await compare(before, after)).lines;
    assert.deepEqual(items, [
      {
        lineId: 'ABC:Line:1',
        change: 'changed',
        name: 'Harbour',
        publicCode: '1',
        transportMode: 'tram',
        transportSubmode: null,
        before: { name: 'Line 1', transportMode: 'bus' },
      },
    ]);
  });

  it('tell how far a stop moved and what it was called, and nothing of stops that nobody calls at', async () => {
    const { before, after } = drawn();
    Object.assign(after.stops[1] ?? {}, { name: 'Quay', latitude: 59.101 });
    Object.assign(after.stops.at(-1) ?? {}, { name: 'Nowhere' });
    const { stops } = await compare(before, after);
    assert.deepEqual([stops.moved, stops.renamed, stops.total], [1, 1, 1]);
    const [item] = stops.items;
    assert.deepEqual([item?.stopId, item?.name, item?.nameBefore], ['NSR:Quay:1', 'Quay', 'Stop 1']);
    assert.ok(Math.abs((item?.movedMetres ?? 0) - 111) <= 1, `${item?.movedMetres} m`);
  });

  it('take what the national register says of a stop before what the dataset says', async () => {
    const { before, after } = drawn();
    Object.assign(after.stops[1] ?? {}, { name: 'Quay' });
    const named = '<quays><Quay id="NSR:Quay:1" version="1"><Name>National</Name></Quay></quays>';
    const register = StopRegister.open(stopRegisterOf(named));
    assert.equal((await compare(before, after, FROM_DAY, register)).stops.total, 0);
  });

  it('count only days from the receipt on that both cover, and say which', async () => {
    const { before, after } = drawn();
    for (const id of after.dayTypes.keys()) after.dayTypes.set(id, [FROM_DAY + 30, FROM_DAY + 31]);
    for (const id of before.dayTypes.keys()) before.dayTypes.set(id, [FROM_DAY - 3, FROM_DAY + 30]);
    const { service, days, journeys } = await compare(before, after);
    assert.deepEqual(service, {
      before: { from: '2027-06-28', to: '2027-07-31' },
      after: { from: '2027-07-31', to: '2027-08-01' },
      compared: { from: '2027-07-31', to: '2027-07-31' },
    });
    assert.deepEqual([days.total, days.changed, journeys.onOtherDays], [1, 0, 0]);
  });

  it('have no journeys when no day is common, and still lines and stops', async () => {
    const { before, after } = drawn();
    for (const id of before.dayTypes.keys()) before.dayTypes.set(id, [FROM_DAY - 3]);
    after.lines.pop();
    const { service, days, journeys, lines } = await compare(before, after);
    assert.deepEqual([service.compared, days.total, journeys.before, journeys.after], [null, 0, 0, 0]);
    assert.equal(lines.removed, 1);
  });

  it('end with the window of days', async () => {
    const { before, after } = drawn();
    const far = FROM_DAY + 2 * WINDOW_DAYS;
    for (const timetable of [before, after]) {
      for (const id of timetable.dayTypes.keys()) timetable.dayTypes.set(id, [FROM_DAY, far]);
    }
    assert.equal((await compare(before, after)).days.total, WINDOW_DAYS);
  });

  it('name the days that a line loses and gains', async () => {
    const { before, after } = drawn();
    const [line] = after.lines;
    before.dayTypes.set('A', [FROM_DAY, FROM_DAY + 1, FROM_DAY + 2, FROM_DAY + 5]);
    after.dayTypes.set('A', [FROM_DAY, FROM_DAY + 2, FROM_DAY + 3, FROM_DAY + 5]);
    for (const timetable of [before, after]) {
      for (const { journeys } of timetable.lines) for (const journey of journeys) journey.dayType = 'A';
      timetable.lines.splice(1);
    }
    const { calendars } = await compare(before, after);
    assert.deepEqual([calendars.gained, calendars.lost, calendars.total], [1, 1, 1]);
    assert.deepEqual(calendars.items, [
      {
        lineId: line?.id,
        name: line?.name,
        publicCode: line?.publicCode,
        gained: { total: 1, days: ['2027-07-04'] },
        lost: { total: 1, days: ['2027-07-02'] },
      },
    ]);
  });

  it('take ids that are numbered anew for other journeys as no ids', async () => {
    const { before, after } = drawn();
    const journeys = after.lines.flatMap((line) => line.journeys);
    const ids = journeys.map(({ id }) => id);
    // Each id names a journey of another line or direction.
    const half = Math.floor(ids.length / 2);
    for (const [at, journey] of journeys.entries()) journey.id = ids[(at + half) % ids.length] as string;
    const { matchedBy, added, removed, retimed } = (await compare(before, after)).journeys;
    assert.deepEqual([matchedBy, added, removed, retimed], ['times', 0, 0, 0]);
  });

  it('list a limited number of changes, and count them all', async () => {
    const { before, after } = drawn();
    const [line] = after.lines;
    for (let number = 0; number < MOST_LISTED + 20; number++) {
      after.lines.push({ ...(line as (typeof after.lines)[0]), id: `ABC:Line:x${number}`, journeys: [] });
    }
    const { lines } = await compare(before, after);
    assert.deepEqual([lines.added, lines.total, lines.items.length], [520, 520, MOST_LISTED]);
  });

  it('follow dated journeys, cancelled ones too', async () => {
    const days = ['2027-07-01', '2027-07-02', '2027-07-03'];
    const journey = (dates: readonly string[]): SmallJourney => ({
      id: 'j1',
      calls: [
        ['a', '08:00'],
        ['b', '09:00'],
      ],
      dates,
    });
    const open = async (dates: readonly string[]) => {
      const common = commonFile('_common.xml', ['a', 'b'], operatingDays(...days));
      const files = [common, lineFile('l1.xml', { journeys: [journey(dates)] })];
      const entries = files.map(({ name, bytes }) => ({
        name,
        // The small timetable has no routes: its patterns are those of the line.
        data: new TextDecoder()
          .decode(bytes)
          .replaceAll('<pointsInSequence>', '<LineRef ref="ABC:Line:l1"/><pointsInSequence>'),
      }));
      return await openArchive(bufferRangeReader(writeZip(entries)), DEFAULT_ARCHIVE_LIMITS);
    };
    const vocabulary = new Vocabulary(FROM_DAY);
    const old = await readOutline({ archive: await open(days), vocabulary });
    const now = await readOutline({ archive: await open([days[0] ?? '', `!${days[1]}`, days[2] ?? '']), vocabulary });
    const found = await compareOutlines(old, now, vocabulary);
    assert.deepEqual(
      found.days.items.map(({ before, after }) => [before, after]),
      [
        [1, 1],
        [1, 0],
        [1, 1],
      ],
    );
    assert.equal(found.journeys.onOtherDays, 1);
  });

  it('of a stop register are those of its places and quays', async () => {
    const place = (name: string, latitude: number) =>
      `<stopPlaces><StopPlace id="NSR:StopPlace:1" version="1"><Name>${name}</Name><Centroid><Location><Longitude>10</Longitude><Latitude>${latitude}</Latitude></Location></Centroid><quays><Quay id="NSR:Quay:1" version="1"/></quays></StopPlace></stopPlaces>`;
    const vocabulary = new Vocabulary(FROM_DAY);
    const [old, now] = [place('Old', 59), place('New', 59.01)].map((content) =>
      outlineRegister(StopRegister.open(stopRegisterOf(content)), vocabulary),
    );
    const { stops, journeys } = await compareOutlines(old as never, now as never, vocabulary);
    assert.deepEqual([stops.before, stops.moved, stops.renamed, journeys.before], [2, 2, 2, 0]);
  });
});
