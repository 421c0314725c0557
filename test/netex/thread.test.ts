/** A thread that validates files and can be stopped by a time limit, by its memory size and by its owner. */
import assert from 'node:assert/strict';
import { ValidationThread, ValidationThreadError } from '../../netex/thread/index.ts';
import type { NetexFile, ValidationContext } from '../../netex/validation-context.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive, readPackedEntry } from '../../netex/zip/index.ts';
import { collectGarbage } from '../../planner/threads/collect-garbage.ts';
import { xsdDirectory } from '../support/folders.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';
import { writeZip } from '../support/zip-writer.ts';
import { line, serviceFrame } from './support/schema-samples.ts';

const context: ValidationContext = {
  xmlns: 'ABC',
  allowedXmlns: ['NSR'],
  profile: 'timetable',
  dataset: 'timetable',
  stopRegisterXmlns: 'NSR',
};
const schemas = { xsdDirectory: xsdDirectory(), imageDirectory: SCHEMA_IMAGES };
const good = serviceFrame(`<lines>${line('ABC:Line:1')}</lines>`);
const file = (name: string, text: string): NetexFile => ({ name, kind: 'line', bytes: Buffer.from(text) });

describe('validation thread', function () {
  this.timeout(240_000);
  let thread: ValidationThread;

  before(async () => {
    thread = await ValidationThread.start(schemas);
  });
  after(() => thread.stop());

  it('returns the results of the validation, file after file, with the context of each', async () => {
    const other = { ...context, xmlns: 'XYZ' };
    const broken = good.replace('</lines>', '');
    const results = await Promise.all([
      thread.validate(file('a.xml', good), context),
      thread.validate(file('b.xml', broken), context),
      thread.validate(file('c.xml', good), other),
      thread.validate(file('d.xml', good), other),
    ]);
    assert.deepEqual(
      results.map(({ name, schemaVersion, lines }) => [name, schemaVersion, lines]),
      [
        ['a.xml', '1.13', 1],
        ['b.xml', null, 0],
        ['c.xml', '1.13', 1],
        ['d.xml', '1.13', 1],
      ],
    );
    assert.deepEqual(results[1]?.counts, { XML_SCHEMA_ERROR: 1 });
    assert.deepEqual(results[2]?.counts, results[3]?.counts);
    assert.notDeepEqual(results[0]?.counts, results[2]?.counts);
  });

  it('unpacks packed files, and refuses those that differ from the archive directory', async () => {
    const zip = writeZip([{ name: 'a.xml', data: good }]);
    const archive = await openArchive(bufferRangeReader(zip), DEFAULT_ARCHIVE_LIMITS);
    const [entry] = archive.entries;
    const packed = entry && (await readPackedEntry(archive, entry));
    assert.ok(packed);
    const { counts } = await thread.validate(file('a.xml', good), context);
    assert.deepEqual((await thread.validate({ name: 'a.xml', kind: 'line', packed }, context)).counts, counts);
    const lying = { ...packed, bytes: packed.bytes - 1 };
    await assert.rejects(thread.validate({ name: 'a.xml', kind: 'line', packed: lying }, context), {
      name: 'ArchiveError',
      code: 'ARCHIVE_CONTRADICTORY',
    });
    assert.deepEqual((await thread.validate({ name: 'a.xml', kind: 'line', packed }, context)).counts, counts);
  });

  it('never validates a file in the context of another, even after a failed transfer', async () => {
    const other = { ...context, xmlns: 'XYZ' };
    const { counts } = await thread.validate(file('a.xml', good), context);
    const taken: NetexFile = { name: 'taken.xml', kind: 'line', bytes: new TextEncoder().encode(good) };
    structuredClone(taken.bytes.buffer, { transfer: [taken.bytes.buffer as ArrayBuffer] });
    await assert.rejects(thread.validate(taken, other), TypeError);
    assert.notDeepEqual((await thread.validate(file('c.xml', good), other)).counts, counts);
  });

  it('stops a file that takes too long, and validates the next', async () => {
    const hasty = await ValidationThread.start({
      ...schemas,
      // A file of 3 MB exceeds these limits at once, and no small file does.
      limits: { baseMs: 6_000, perMegabyteMs: -2_000 },
    });
    try {
      const endless = `<a>${'<b c="d">e</b>'.repeat(250_000)}`;
      const result = await hasty.validate(file('endless.xml', endless), context);
      assert.deepEqual(result.counts, { XML_SCHEMA_ERROR: 1 });
      assert.equal(result.findings[0]?.severity, 'CRITICAL');
      assert.match(
        result.findings[0]?.message ?? '',
        /^The file could not be checked within 0 s, the limit for its 3\.5 MB\./,
      );
      const next = await hasty.validate(file('next.xml', '<a>'), context);
      assert.match(next.findings[0]?.message ?? '', /not well-formed/);
    } finally {
      await hasty.stop();
    }
  });

  it('starts a new thread when the memory of the schemas has grown too large', async () => {
    const forgetful = await ValidationThread.start({ ...schemas, limits: { schemaMemoryBytes: 1 } });
    try {
      for (const name of ['a.xml', 'b.xml']) {
        const { counts } = await forgetful.validate(file(name, '<a>'), context);
        assert.deepEqual(counts, { XML_SCHEMA_ERROR: 1 });
      }
    } finally {
      await forgetful.stop();
    }
  });

  it('reports a file that needs more memory than allowed, and validates the next in a new thread', async () => {
    const narrow = await ValidationThread.start({ ...schemas, limits: { heapMegabytes: 24 } });
    try {
      // The thread keeps every id, and these need far more than 24 MB.
      const ids = Array.from({ length: 200_000 }, (_, i) => line(`ABC:Line:${i}`)).join('');
      const result = await narrow.validate(file('large.xml', serviceFrame(`<lines>${ids}</lines>`)), context);
      assert.deepEqual(result.counts, { XML_SCHEMA_ERROR: 1 });
      assert.match(result.findings[0]?.message ?? '', /could not be checked in the memory/);
      assert.deepEqual((await narrow.validate(file('next.xml', '<a>'), context)).counts, { XML_SCHEMA_ERROR: 1 });
    } finally {
      await narrow.stop();
    }
  });

  it('gives up a file when the process grows beyond its limit, and validates the next', async () => {
    // Otherwise the process may free what earlier test files have left, and grow by less than it takes.
    collectGarbage();
    // The process is over this limit before any file, for which no file is blamed.
    const bounded = await ValidationThread.start({ ...schemas, limits: { processBytes: 1 } });
    const taken: Buffer[] = [];
    const large = file('large.xml', serviceFrame(`<lines>${'<x/>'.repeat(5_000_000)}</lines>`));
    const take = () => taken.length < 10 && taken.push(Buffer.alloc(30_000_000, 1));
    const timer = setInterval(take, 50);
    try {
      const result = await bounded.validate(large, context).finally(() => clearInterval(timer));
      assert.match(result.findings[0]?.message ?? '', /could not be checked in the memory/);
      assert.equal((await bounded.validate(file('next.xml', good), context)).lines, 1);
    } finally {
      await bounded.stop();
    }
  });

  it('ends its work and accepts no more when stopped', async () => {
    const stopped = await ValidationThread.start(schemas);
    const running = stopped.validate(file('a.xml', good), context);
    await stopped.stop();
    await assert.rejects(running, ValidationThreadError);
    await assert.rejects(stopped.validate(file('b.xml', good), context), ValidationThreadError);
  });

  it('cannot start without XSDs', async () => {
    await assert.rejects(ValidationThread.start({ xsdDirectory: '/nowhere' }), ValidationThreadError);
  });
});
