import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { generateDemo } from '../../dev/demo/generate.ts';
import { DEFAULT_ARCHIVE_LIMITS, openArchive, openFileRangeReader } from '../../netex/zip/index.ts';
import { DEMO_DATE, listNames, readArchive, temporaryFolder, useDemoData } from '../support/demo-dataset.ts';

const sha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

describe('The demo archives', () => {
  it('are the same bytes for the same date and factor, in any folder and time zone', async () => {
    const first = await useDemoData();
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Auckland';
    try {
      const second = await generateDemo({ date: DEMO_DATE, directory: temporaryFolder() });
      assert.equal(await sha256(second.timetable), await sha256(first.timetable));
      assert.equal(await sha256(second.stopRegister), await sha256(first.stopRegister));
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('keep the ids of lines and stops from one date to the next', async () => {
    const other = await generateDemo({ date: '2027-03-20', directory: temporaryFolder() });
    assert.deepEqual({ first: other.firstDay, last: other.lastDay }, { first: '2027-03-19', last: '2027-04-24' });
    assert.deepEqual(await listNames(other.timetable), await listNames((await useDemoData()).timetable));
    assert.notEqual(await sha256(other.timetable), await sha256((await useDemoData()).timetable));
  });

  it('differ for another time of making', async () => {
    const few = { date: DEMO_DATE, lines: [301, 302] };
    const first = await generateDemo({ ...few, directory: temporaryFolder() });
    const createdAt = '2026-11-21T08:15:00.123';
    const again = await generateDemo({ ...few, createdAt, directory: temporaryFolder() });
    assert.notEqual(await sha256(again.timetable), await sha256(first.timetable));
  });

  it('hold the wanted lines alone, at the same places', async () => {
    const few = await generateDemo({ date: DEMO_DATE, lines: [301, 302], directory: temporaryFolder() });
    const names = (await listNames(few.timetable)).map((name) => name.replace(/_[^_]*\.xml$/, ''));
    assert.deepEqual(names, ['_DEM_shared', 'DEM_DEM-Line-301_F1', 'DEM_DEM-Line-302_F2']);
    assert.equal(await sha256(few.stopRegister), await sha256((await useDemoData()).stopRegister));
  });

  it('name their files as the profile asks', async () => {
    const [common, ...lines] = await listNames((await useDemoData()).timetable);
    assert.equal(common, '_DEM_shared_data.xml');
    for (const name of lines) assert.match(name, /^DEM_DEM-(Flexible)?Line-\d+_[A-Z]*\d+_[0-9A-Za-z-]+\.xml$/);
  });

  it('repeat the lines under other ids with a factor above 1', async () => {
    const { timetable } = await generateDemo({ date: DEMO_DATE, factor: 2, directory: temporaryFolder() });
    const owners = new Map<string, string>();
    const lineNames = new Set<string>();
    let files = 0;
    for await (const { name, bytes } of readArchive(timetable)) {
      files += 1;
      if (name.startsWith('_')) continue;
      const text = new TextDecoder().decode(bytes);
      for (const [, id = ''] of text.matchAll(/\bid="(DEM:[^"]+)"/g)) {
        if (owners.has(id)) assert.fail(`${id} is in ${name} and in ${owners.get(id)}`);
        owners.set(id, name);
      }
      lineNames.add(/<(?:Flexible)?Line [^>]*>\s*<Name>([^<]+)/.exec(text)?.[1] ?? '');
    }
    assert.equal(files, 1 + 2 * 56);
    assert.equal(lineNames.size, 2 * 56);
  });

  it('are written without a whole archive in memory', async () => {
    const folder = temporaryFolder();
    const main = new URL('../../dev/demo/main.ts', import.meta.url).pathname;
    const memory = ['--max-old-space-size=56', '--max-semi-space-size=4'];
    await promisify(execFile)(process.execPath, [
      ...memory,
      main,
      '--date',
      DEMO_DATE,
      '--factor',
      '6',
      '--out',
      folder,
    ]);
    const reader = await openFileRangeReader(`${folder}/demo-timetable-${DEMO_DATE}-x6.zip`);
    const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
    const bytes = archive.entries.reduce((sum, entry) => sum + entry.bytes, 0);
    await reader.close();
    assert.ok(bytes > 250e6, `${bytes} bytes unpacked`);
  });

  for (const factor of [0, 1.5, 181]) {
    it(`refuse the factor ${factor}`, async () => {
      await assert.rejects(
        generateDemo({ date: DEMO_DATE, factor, directory: temporaryFolder() }),
        /whole number from 1 to 180/,
      );
    });
  }

  it('refuse an invalid date', async () => {
    for (const date of ['2026-02-30', '21.11.2026', 'today']) {
      await assert.rejects(generateDemo({ date, directory: temporaryFolder() }), /not a date of the form yyyy-MM-dd/);
    }
  });

  it('leave nothing behind when stopped', async () => {
    const directory = temporaryFolder();
    const signal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(generateDemo({ date: DEMO_DATE, directory, signal }));
    await assert.rejects(readFile(`${directory}/demo-stops-${DEMO_DATE}.zip`), { code: 'ENOENT' });
    await assert.rejects(readFile(`${directory}/demo-stops-${DEMO_DATE}.zip.part`), { code: 'ENOENT' });
  });
});
