/** Imports real archives. Every omission must have a reason in the data. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importDatasets } from '../../../activities/timetable/planner-import/import-datasets.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { type Archive, readEntry } from '../../../netex/zip/index.ts';
import { createTimetableBuilder, openTimetable } from '../../../planner/index.ts';
import { openBytes } from '../../support/zip-samples.ts';
import { writeZip } from '../../support/zip-writer.ts';
import { delivery, type Recorded, recordingBuilder } from './recorded-import.ts';

const DATA = join(resolve(process.env.SHARED_DIR ?? '../shared'), 'netex/data');
const OTP = 'opentripplanner__OpenTripPlanner';

const open = (path: string): Promise<Archive> => openBytes(readFileSync(join(DATA, path)));

async function textsOf(archive: Archive): Promise<string> {
  const texts = await Promise.all(archive.entries.map((entry) => readEntry(archive, entry)));
  return texts.map((bytes) => Buffer.from(bytes).toString()).join('\n');
}

/** A substitute for the national register: a quay for every one that the dataset names, a kilometre apart. */
async function registerFor(archive: Archive): Promise<Uint8Array> {
  const ids = new Set(
    [...(await textsOf(archive)).matchAll(/<QuayRef[^>]* ref="([^"]+)"/g)].map(([, id]) => id as string),
  );
  const quays = [...ids].map(
    (id, index) =>
      `<Quay id="${id}" version="1"><Centroid><Location><Longitude>7</Longitude><Latitude>${60 + index / 100}</Latitude></Location></Centroid></Quay>`,
  );
  const reader = new StopRegisterReader();
  const place = `<stopPlaces><StopPlace id="NSR:StopPlace:1" version="1"><Name>S</Name><quays>${quays.join('')}</quays></StopPlace></stopPlaces>`;
  reader.addFile(new TextEncoder().encode(delivery(`<SiteFrame id="S" version="1">${place}</SiteFrame>`)));
  return reader.build().bytes;
}

async function registerOf(...files: Uint8Array[]): Promise<Uint8Array> {
  const reader = new StopRegisterReader();
  for (const file of files) reader.addFile(file);
  return reader.build().bytes;
}

async function record(archive: Archive, register?: Uint8Array): Promise<Recorded> {
  const { builder, recorded } = recordingBuilder();
  await importDatasets({ datasets: [{ codespace: 'abc', archive }], register }, builder);
  return recorded;
}

describe('import of real datasets', () => {
  before(function () {
    if (!existsSync(DATA)) this.skip();
  });

  it('imports a railway of one line whole', async () => {
    const archive = await open('entur__antu/rb_flb-aggregated-netex.zip');
    const recorded = await record(archive, await registerFor(archive));
    assert.deepEqual(recorded.rejected, []);
    assert.deepEqual([recorded.lines.length, recorded.patterns.length, recorded.journeys.length], [1, 7, 15]);
    const [line] = recorded.lines;
    assert.deepEqual([line?.mode, line?.submode, line?.authorityId], ['rail', 'regionalRail', 'FLB:Authority:FLB']);
    assert.ok(
      recorded.journeys.some(({ callNoticeIds }) => callNoticeIds !== undefined),
      'notices on passing times',
    );
    assert.ok(recorded.patterns.every(({ stops }) => stops.slice(0, -1).every(({ path }) => path !== undefined)));
  });

  it('imports a railway with operating periods and exclusions whole', async () => {
    const archive = await open('entur__netex-gtfs-converter-java/rb_sjv-aggregated-netex.zip');
    const recorded = await record(archive, await registerFor(archive));
    assert.deepEqual(recorded.rejected, []);
    assert.deepEqual(
      [recorded.lines.length, recorded.patterns.length, recorded.journeys.length],
      [2, 10, 29],
      'one journey has a day type that only excludes',
    );
    assert.ok(recorded.journeys.every(({ days }) => days.length > 0));
  });

  it('imports flexible lines with areas, which are shown and not searched', async () => {
    const archive = await open('entur__netex-validator-java/rb_bra-flexible-lines-valid-passing-times.zip');
    const register = await open('entur__damu/Current_latest.zip');
    const files = await Promise.all(register.entries.map((entry) => readEntry(register, entry)));
    const recorded = await record(archive, await registerOf(...files));
    assert.deepEqual(recorded.rejected, []);
    assert.deepEqual([recorded.lines.length, recorded.journeys.length, recorded.stopPlaces.length], [1, 10, 3]);
    assert.equal(recorded.quays.filter(({ area }) => area !== undefined).length, 3);
    assert.ok(recorded.journeys.every(({ searchable }) => searchable === false));
    assert.deepEqual(recorded.lines[0]?.booking?.methods, ['callOffice', 'online']);
  });

  it('imports a dataset with its own register', async () => {
    const entries = [
      '_RUT_shared_data.xml',
      'RUT_RUT-Line-4_4_Vestli---Bergkrystallen.xml',
      'RUT_RUT-Line-12_12_Majorstuen---Kjelsas.xml',
    ];
    const zip = writeZip(entries.map((name) => ({ name, data: readFileSync(join(DATA, OTP, name)) })));
    const recorded = await record(await openBytes(zip), await registerOf(readFileSync(join(DATA, OTP, '_stops.xml'))));
    assert.deepEqual(
      [recorded.lines.length, recorded.patterns.length, recorded.journeys.length, recorded.dated.length],
      [2, 4, 5, 1],
    );
    assert.deepEqual(recorded.rejected, []);
  });

  it('imports an operator of 58.9 MB with its own stops, except one faulty journey', async () => {
    const archive = await open('entur__marduk/AOR.zip');
    const builder = createTimetableBuilder();
    const { datasets } = await importDatasets({ datasets: [{ codespace: 'rut', archive }] }, builder);
    const { counts } = datasets[0] ?? assert.fail();
    assert.deepEqual([counts.lines, counts.journeyPatterns, counts.serviceJourneys], [97, 390, 4401]);
    const { bytes, report } = builder.finish({ builtAt: 0 });
    assert.deepEqual(
      report.rejected.map(({ reason, count, examples }) => [reason, count, examples[0]]),
      [
        ['cannot be read to its end', 1, 'blocks.xml: document must contain a root element.'],
        // This journey has 35 times in a pattern of 15 stops.
        ['a passing time names no stop of its pattern', 1, 'RUT:ServiceJourney:3835-99998-107'],
      ],
    );
    assert.equal(openTimetable(bytes.buffer as ArrayBuffer).catalogue.quays.count, 1829);
  });

  it('imports a register of 12.6 MB', async () => {
    const archive = await open('entur__damu/Airports_latest.zip');
    const reader = new StopRegisterReader();
    for (const entry of archive.entries) reader.addFile(await readEntry(archive, entry));
    const { builder, recorded } = recordingBuilder();
    const { stops } = await importDatasets({ datasets: [], register: reader.build().bytes }, builder);
    assert.ok((stops.stopPlaces ?? 0) > 40 && recorded.quays.length > 0);
    assert.deepEqual(recorded.rejected, []);
  });
});
