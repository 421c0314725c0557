/** Length determinants of unaligned PER (ITU-T X.691, 11.9), and what newer versions add. */
import type { BitReader } from './bit-reader.ts';
import type { BitWriter } from './bit-writer.ts';
import { PerError } from './per-error.ts';

const SHORT = 128;
const FRAGMENT = 16_384;
const MOST_FRAGMENTS = 4;

/** Calls `write` for each part of `count` items, which are split into parts of at most 64 K items. */
export function writeParts(out: BitWriter, count: number, write: (from: number, to: number) => void): void {
  let from = 0;
  for (let rest = count; rest >= FRAGMENT; rest = count - from) {
    const fragments = Math.min(Math.floor(rest / FRAGMENT), MOST_FRAGMENTS);
    out.writeBits(0b1100_0000 + fragments, 8);
    write(from, from + fragments * FRAGMENT);
    from += fragments * FRAGMENT;
  }
  const rest = count - from;
  if (rest < SHORT) out.writeBits(rest, 8);
  else out.writeBits(0b1000_0000_0000_0000 + rest, 16);
  write(from, count);
}

/** Yields the number of items of each part; the items are read before the next. */
export function* readParts(input: BitReader): Generator<number> {
  while (input.readBit()) {
    if (!input.readBit()) return yield input.readBits(14);
    const fragments = input.readBits(6);
    if (fragments < 1 || fragments > MOST_FRAGMENTS) throw new PerError(`${fragments} fragments are no length`);
    yield fragments * FRAGMENT;
  }
  yield input.readBits(7);
}

export function writeOctetString(out: BitWriter, octets: Uint8Array): void {
  writeParts(out, octets.length, (from, to) => out.writeOctets(octets.subarray(from, to)));
}

export function readOctetString(input: BitReader): Buffer {
  const parts: Buffer[] = [];
  for (const count of readParts(input)) parts.push(input.readOctets(count));
  return Buffer.concat(parts);
}

/** Passes over the additions of a newer version, which come behind the components that this version knows. */
export function skipAdditions(input: BitReader): void {
  const count = readSmallNumber(input) + 1;
  const present = Array.from({ length: count }, () => input.readBit());
  for (const isPresent of present) if (isPresent) readOctetString(input);
}

/** A number that is usually below 64: number of additions less 1, or index of an added alternative or item. */
export function readSmallNumber(input: BitReader): number {
  if (!input.readBit()) return input.readBits(6);
  const octets = readOctetString(input);
  if (octets.length < 1 || octets.length > 2) throw new PerError(`${octets.length} octets number no extension`);
  return octets.readUIntBE(0, octets.length);
}
