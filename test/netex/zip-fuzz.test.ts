import assert from 'node:assert/strict';
import { ArchiveError, classifyArchive, readEntry } from '../../netex/zip/index.ts';
import { LINE_FILE, STOPS_FILE } from '../support/netex-samples.ts';
import { openBytes, seededRandom } from '../support/zip-samples.ts';
import { extraField, FLAG_DESCRIPTOR, pack, writeZip } from '../support/zip-writer.ts';

const ROUNDS = 4000;
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const EXTREMES = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];
const CONTENTS = new Map([
  ['_stops.xml', STOPS_FILE],
  ['a.xml', LINE_FILE],
  ['b.xml', LINE_FILE],
]);

const sound = [
  writeZip([
    { name: '_stops.xml', data: STOPS_FILE },
    { name: 'a.xml', data: LINE_FILE, method: 0 },
    { name: 'b.xml', data: LINE_FILE, flags: FLAG_DESCRIPTOR, directory: { extra: extraField(0x5455, pack([4, 7])) } },
  ]),
  writeZip([{ name: 'a.xml', data: LINE_FILE }], { end64: {}, comment: Buffer.from('comment') }),
];

type Random = (limit: number) => number;

/** A random position, more often in headers, directory and end, where single bytes matter. */
function place(bytes: Buffer, random: Random): number {
  return random(2) === 0 ? random(bytes.length) : bytes.length - 1 - random(Math.min(bytes.length, 300));
}

function mutate(bytes: Buffer, random: Random): Buffer {
  const at = place(bytes, random);
  const value = EXTREMES[random(EXTREMES.length)] ?? 0;
  const copy = Buffer.from(bytes);
  switch (random(7)) {
    case 0:
      copy[at] = random(256);
      return copy;
    case 1:
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
      return copy;
    case 2:
      if (at + 4 <= copy.length) copy.writeUInt32LE(value >>> 0, at);
      return copy;
    case 3:
      if (at + 2 <= copy.length) copy.writeUInt16LE(value & 0xffff, at);
      return copy;
    case 4:
      return copy.subarray(0, at);
    case 5:
      return Buffer.concat([copy.subarray(0, at), Buffer.alloc(1 + random(40), random(256)), copy.subarray(at)]);
    default: {
      const from = random(copy.length);
      return Buffer.concat([copy.subarray(0, at), copy.subarray(from, from + random(200)), copy.subarray(at)]);
    }
  }
}

/** True when accepted. An accepted archive must have its former content. */
async function accepts(bytes: Buffer): Promise<boolean> {
  try {
    const archive = await openBytes(bytes);
    await classifyArchive(archive);
    for (const entry of archive.entries) {
      const text = Buffer.from(await readEntry(archive, entry)).toString();
      assert.equal(text, CONTENTS.get(entry.name), `content of ${entry.name}`);
    }
    return true;
  } catch (error) {
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

describe('archives changed at random', () => {
  it(`are refused, or read with their former content (seed ${SEED})`, async () => {
    let accepted = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const random = seededRandom(SEED + round);
      let bytes = sound[round % sound.length] ?? Buffer.alloc(0);
      for (let changes = 1 + random(3); changes > 0 && bytes.length > 0; changes--) bytes = mutate(bytes, random);
      try {
        if (await accepts(bytes)) accepted++;
      } catch (error) {
        throw new Error(`Round ${round} of seed ${SEED}: ${error}`, { cause: error });
      }
    }
    assert.ok(accepted > ROUNDS / 100, `only ${accepted} accepted: the changes try nothing subtle`);
    assert.ok(accepted < ROUNDS / 2, `${accepted} accepted`);
  });
});
