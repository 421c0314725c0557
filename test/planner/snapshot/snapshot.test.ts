import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import { openTimetable, SnapshotError, type SnapshotErrorCode } from '../../../planner/index.ts';
import { SectionWriter } from '../../../planner/snapshot/section-writer.ts';
import { Sections } from '../../../planner/snapshot/sections.ts';
import { createNetwork } from '../support/network.ts';

function written(): { bytes: Uint8Array<ArrayBuffer>; snapshotId: string } {
  const writer = new SectionWriter();
  writer.add('bytes', Uint8Array.of(1, 2, 3));
  writer.add('numbers', Int32Array.of(-1, 70_000));
  writer.add('empty', new Float64Array(0));
  writer.add('floats', Float64Array.of(59.9, 10.7));
  writer.addTexts('names', ['Oslo S', 'Tromsø', '']);
  return writer.finish();
}

const refused = (bytes: ArrayBuffer, code: SnapshotErrorCode): void =>
  assert.throws(
    () => openTimetable(bytes),
    (error) => error instanceof SnapshotError && error.code === code,
  );

describe('snapshot file', () => {
  it('returns the written sections, from memory of both kinds', () => {
    const { bytes, snapshotId } = written();
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    for (const memory of [bytes.buffer, shared]) {
      const sections = Sections.open(memory);
      assert.equal(sections.snapshotId, snapshotId);
      assert.deepEqual([...sections.uint8('bytes')], [1, 2, 3]);
      assert.deepEqual([...sections.int32('numbers')], [-1, 70_000]);
      assert.deepEqual([...sections.integers('numbers')], [-1, 70_000]);
      assert.deepEqual([...sections.float64('floats')], [59.9, 10.7]);
      assert.equal(sections.float64('empty').length, 0);
      assert.deepEqual(sections.texts('names'), ['Oslo S', 'Tromsø', '']);
      assert.equal(sections.int32('numbers').buffer, memory, 'no copy');
      assert.deepEqual(sections.names, ['bytes', 'numbers', 'empty', 'floats', 'names']);
    }
  });

  it('writes the same bytes again, and has another id for other content', () => {
    const { bytes, snapshotId } = written();
    assert.deepEqual(written().bytes, bytes);
    assert.equal(snapshotId, createHash('sha256').update(bytes.subarray(64)).digest('hex'));
    const other = new SectionWriter();
    other.add('bytes', Uint8Array.of(1, 2, 4));
    assert.notEqual(other.finish().snapshotId, written().snapshotId);
  });

  it('refuses a section that is missing, of another kind, or written twice', () => {
    const sections = Sections.open(written().bytes.buffer);
    assert.throws(() => sections.int32('missing'), SnapshotError);
    assert.throws(() => sections.int32('floats'), SnapshotError);
    assert.throws(() => sections.integers('floats'), SnapshotError);
    const writer = new SectionWriter();
    writer.add('once', Uint8Array.of(1));
    assert.throws(() => writer.add('once', Uint8Array.of(1)), /twice/);
  });

  it('refuses files that are foreign, of another format, truncated or damaged', () => {
    const { bytes } = createNetwork().stops('A 59.9 10.7', 'B 59.91 10.7').line('1', ['A 08:00 - B 08:10']).build();
    const copy = (): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
    const changed = (offset: number, value: number): ArrayBuffer => {
      const other = copy();
      other[offset] = value;
      return other.buffer;
    };
    openTimetable(copy().buffer);
    refused(new ArrayBuffer(0), 'truncated');
    refused(copy().slice(0, 40).buffer, 'truncated');
    refused(copy().slice(0, -8).buffer, 'truncated');
    refused(new TextEncoder().encode('PK\u0003\u0004'.repeat(100)).buffer as ArrayBuffer, 'foreign');
    refused(changed(8, 99), 'otherFormat');
    refused(changed(14, 255), 'damaged');
    refused(changed(64, 'x'.charCodeAt(0)), 'damaged');
  });

  it('refuses directories that point outside the file', () => {
    const { bytes } = written();
    const directory = Buffer.from(bytes.buffer, 64, new DataView(bytes.buffer).getUint32(12, true));
    const text = directory.toString('utf8');
    for (const [from, to] of [
      ['"int32"', '"int99"'],
      [',2]', ',9]'],
      ['"bytes"', '"empty"'],
    ] as const) {
      const hostile = Uint8Array.from(bytes);
      hostile.set(Buffer.from(text.replace(from, to.padEnd(from.length)).slice(0, text.length)), 64);
      if (from === ',2]')
        hostile.set(Buffer.from(text.replaceAll(/,\d+\]/g, (end) => `,${'9'.repeat(end.length - 2)}]`)), 64);
      assert.throws(() => Sections.open(hostile.buffer), SnapshotError, from);
    }
    for (let offset = 8; offset < 64 + text.length; offset++) {
      if (offset >= 24 && offset < 64) continue;
      const hostile = Uint8Array.from(bytes);
      hostile[offset] = (hostile[offset] ?? 0) ^ 0x10;
      try {
        const sections = Sections.open(hostile.buffer);
        for (const name of sections.names) sections.has(name);
      } catch (error) {
        assert.ok(error instanceof SnapshotError, `offset ${offset}: ${error}`);
      }
    }
  });
});
