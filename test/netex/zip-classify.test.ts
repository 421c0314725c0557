import assert from 'node:assert/strict';
import { classifyArchive, DEFAULT_ARCHIVE_LIMITS, openArchive } from '../../netex/zip/index.ts';
import { LINE_FILE, netexFile, STOPS_FILE } from '../support/netex-samples.ts';
import { openEntries } from '../support/zip-samples.ts';
import { type EntrySpec, writeZip } from '../support/zip-writer.ts';

const LINE: EntrySpec = { name: 'line.xml', data: LINE_FILE };
const STOPS: EntrySpec = { name: '_stops.xml', data: STOPS_FILE };

async function kindOf(...entries: EntrySpec[]): Promise<string> {
  return (await classifyArchive(await openEntries(entries))).kind;
}

/** Elements that exports of a stop register contain in addition to the stops. */
const STOPS_WITH_POINTS = netexFile(
  '<SiteFrame id="a" version="1"/><ServiceFrame id="b" version="1"><scheduledStopPoints/><stopAssignments/></ServiceFrame><FareFrame id="c" version="1"/>',
);

describe('classifying an archive', () => {
  it('counts files and bytes, and names the files that are ignored', async () => {
    const others = ['README.txt', 'logo.png'].map((name) => ({ name, data: `about ${name}` }));
    const archive = await openEntries([LINE, ...others, STOPS]);
    assert.deepEqual(await classifyArchive(archive), {
      kind: 'timetable',
      files: 2,
      bytes: Buffer.byteLength(LINE_FILE) + Buffer.byteLength(STOPS_FILE),
      ignoredNames: ['README.txt', 'logo.png'],
      ignoredFiles: 2,
    });
  });

  it('recognises a stop register by its frames', async () => {
    assert.equal(await kindOf(STOPS), 'stop-register');
    assert.equal(await kindOf({ name: 'stops.xml', data: STOPS_WITH_POINTS }), 'stop-register');
    assert.equal(
      await kindOf({
        name: 'p.xml',
        data: STOPS_FILE.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:').replace('xmlns=', 'xmlns:n='),
      }),
      'stop-register',
    );
    assert.equal(await kindOf(STOPS, LINE), 'timetable');
    assert.equal(await kindOf(LINE), 'timetable');
    assert.equal(await kindOf({ name: 'a.xml', data: netexFile('<ResourceFrame id="a" version="1"/>') }), 'timetable');
    const late = netexFile(`<SiteFrame>${'<StopPlace/>'.repeat(50_000)}</SiteFrame><TimetableFrame/>`);
    assert.equal(await kindOf({ name: 'a.xml', data: late }), 'timetable');
  });

  it('ignores frames in comments, character data and instructions', async () => {
    const hidden = '<!-- <TimetableFrame> --><![CDATA[<Line>]]><?x <Route>?>';
    assert.equal(
      await kindOf({ name: 'a.xml', data: STOPS_FILE.replace('<stopPlaces>', `${hidden}<stopPlaces>`) }),
      'stop-register',
    );
  });

  it('leaves empty and malformed files to the validation when another is NeTEx', async () => {
    const broken = [
      '',
      '<?xml version="1.0" encoding="utf-8"?>\n',
      '<?xml version="1.0"?><a b=',
      '<>',
      LINE_FILE.slice(0, 400),
    ];
    for (const data of broken) {
      const { files } = await classifyArchive(await openEntries([LINE, { name: 'broken.xml', data }]));
      assert.equal(files, 2, data);
    }
  });

  it('finds the root element behind a byte order mark, comments, instructions and much white space', async () => {
    const prologs = [
      '\ufeff',
      '<?xml version="1.0"?><!-- <!DOCTYPE x> --><?style a?>\n',
      ' '.repeat(20_000),
      `<!--${'long '.repeat(9000)}-->`,
    ];
    for (const prolog of prologs)
      assert.equal(await kindOf({ name: 'line.xml', data: prolog + netexFile('<Line/>', '') }), 'timetable');
  });

  it('finds a root element that hardly compresses', async () => {
    const noise = Array.from({ length: 3000 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 0).join(' ');
    assert.equal(await kindOf({ name: 'line.xml', data: netexFile('<Line/>', `<!--${noise}-->`) }), 'timetable');
  });

  it('reads UTF-16 and the usual 8-bit encodings', async () => {
    const wide = netexFile('<Line/>', '<?xml version="1.0" encoding="utf-16"?>');
    const latin = netexFile('<Line><Name>Ås</Name></Line>', '<?xml version="1.0" encoding="ISO-8859-1"?>');
    assert.equal(await kindOf({ name: 'a.xml', data: Buffer.from(`\ufeff${wide}`, 'utf16le') }), 'timetable');
    assert.equal(await kindOf({ name: 'a.xml', data: Buffer.from(`\ufeff${wide}`, 'utf16le').swap16() }), 'timetable');
    assert.equal(await kindOf({ name: 'a.xml', data: Buffer.from(latin, 'latin1') }), 'timetable');
  });

  it('reports the apparent kind of a file and the remedy', async () => {
    const refused = async (entry: EntrySpec, message: RegExp): Promise<void> =>
      assert.rejects(classifyArchive(await openEntries([LINE, entry])), { message });
    await refused(
      { name: 's.xml', data: '<Siri xmlns="http://www.siri.org.uk/siri"/>' },
      /"s.xml" is not NeTEx: it looks like SIRI/,
    );
    await refused(
      { name: 'x.xml', data: 'stop_id,stop_name\n' },
      /"x.xml" is named as XML .* looks like a GTFS table\. Replace it/,
    );
    await refused({ name: 'd.xml', data: '<!DOCTYPE a>' }, /"d.xml" begins with a DOCTYPE .* Remove it/);
  });

  it('reads ten thousand files in few requests, reports progress, and stops when aborted', async () => {
    const bytes = writeZip(Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}.xml`, data: LINE_FILE })));
    let requests = 0;
    const read = async (offset: number, lengthBytes: number): Promise<Uint8Array> => {
      requests++;
      return bytes.subarray(offset, offset + lengthBytes);
    };
    const archive = await openArchive({ sizeBytes: bytes.length, read }, DEFAULT_ARCHIVE_LIMITS);
    const progress: number[] = [];
    await classifyArchive(archive, { onProgress: ({ entriesDone }) => progress.push(entriesDone) });
    assert.ok(requests < 20, `${requests} requests`);
    assert.ok(progress.length > 100 && progress.at(-1) === 10_000);

    const stop = new AbortController();
    const stopped = classifyArchive(archive, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('given up')),
    });
    await assert.rejects(stopped, /given up/);
  });

  it('continues with small requests where files lie far apart', async () => {
    const data = Buffer.alloc(3_000_000, LINE_FILE);
    const bytes = writeZip(Array.from({ length: 4 }, (_, i) => ({ name: `${i}.xml`, data, method: 0 })));
    let read = 0;
    const reader = {
      sizeBytes: bytes.length,
      read: async (offset: number, lengthBytes: number): Promise<Uint8Array> => {
        read += lengthBytes;
        return bytes.subarray(offset, offset + lengthBytes);
      },
    };
    await classifyArchive(await openArchive(reader, DEFAULT_ARCHIVE_LIMITS));
    assert.ok(read < bytes.length / 4, `${read} of ${bytes.length} bytes`);
  });
});
