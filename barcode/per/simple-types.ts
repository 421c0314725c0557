/** Simple types of unaligned PER (ITU-T X.691): numbers, strings, booleans, object identifiers. */
import { readOctetString, readParts, writeOctetString, writeParts } from './length.ts';
import { PerError } from './per-error.ts';
import type { PerType } from './per-type.ts';

export const boolean: PerType<boolean> = {
  notation: 'BOOLEAN',
  encode: (value, out) => out.writeBit(value),
  decode: (input) => input.readBit(),
};

/** `from` and `to` are part of the range, which has at most 32 bits. */
export function integer(from: number, to: number): PerType<number> {
  const width = 32 - Math.clz32(to - from);
  const notation = `INTEGER (${from}..${to})`;
  const assertInRange = (value: number): number => {
    if (Number.isInteger(value) && value >= from && value <= to) return value;
    throw new PerError(`${value} is no ${notation}`);
  };
  return {
    notation,
    encode: (value, out) => out.writeBits(assertInRange(value) - from, width),
    decode: (input) => assertInRange(input.readBits(width) + from),
  };
}

/** Without a range. Read as a bigint only where a number would lose digits. */
export const anyInteger: PerType<number | bigint> = {
  notation: 'INTEGER',
  encode(value, out) {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new PerError(`${value} is no INTEGER`);
    writeOctetString(out, twosComplement(BigInt(value)));
  },
  decode(input) {
    const octets = readOctetString(input);
    if (octets.length === 0) throw new PerError('an INTEGER has no octets');
    const value = BigInt.asIntN(octets.length * 8, BigInt(`0x${octets.toString('hex')}`));
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  },
};

function twosComplement(value: bigint): Buffer {
  let octets = 1;
  while (BigInt.asIntN(octets * 8, value) !== value) octets += 1;
  return Buffer.from(
    BigInt.asUintN(octets * 8, value)
      .toString(16)
      .padStart(octets * 2, '0'),
    'hex',
  );
}

/** Seven bits a character. A size of `[from, to]` characters saves the length or a part of it. */
export function ia5String(size?: number | readonly [number, number]): PerType<string> {
  const [from, to] = typeof size === 'number' ? [size, size] : (size ?? [0, Number.POSITIVE_INFINITY]);
  const notation = size === undefined ? 'IA5String' : `IA5String (SIZE(${from === to ? from : `${from}..${to}`}))`;
  const length = size === undefined ? undefined : integer(from, to);
  return {
    notation,
    encode(value, out) {
      const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0);
      if (codes.some((code) => code > 127)) throw new PerError('a character is not in IA5');
      if (codes.length < from || codes.length > to) throw new PerError(`${codes.length} characters are no ${notation}`);
      const write = (start: number, end: number) => {
        for (const code of codes.slice(start, end)) out.writeBits(code, 7);
      };
      if (length) {
        length.encode(codes.length, out);
        write(0, codes.length);
      } else {
        writeParts(out, codes.length, write);
      }
    },
    decode(input) {
      const parts: string[] = [];
      const read = (count: number) => {
        for (let at = 0; at < count; at += 1) parts.push(String.fromCodePoint(input.readBits(7)));
      };
      if (length) read(length.decode(input));
      else for (const count of readParts(input)) read(count);
      return parts.join('');
    },
  };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8String: PerType<string> = {
  notation: 'UTF8String',
  encode: (value, out) => writeOctetString(out, Buffer.from(value, 'utf8')),
  decode(input) {
    try {
      return UTF8.decode(readOctetString(input));
    } catch (error) {
      throw error instanceof PerError ? error : new PerError('the text is not in UTF-8');
    }
  },
};

export const octetString: PerType<Uint8Array> = {
  notation: 'OCTET STRING',
  encode: (value, out) => writeOctetString(out, value),
  decode: readOctetString,
};

/** In dotted decimal form, such as `1.2.840.10045.4.3.2`. */
export const objectIdentifier: PerType<string> = {
  notation: 'OBJECT IDENTIFIER',
  encode(value, out) {
    if (!/^[0-2](\.(0|[1-9]\d{0,8}))+$/.test(value)) throw new PerError(`${value} is no OBJECT IDENTIFIER`);
    const [first = 0, second = 0, ...rest] = value.split('.').map(Number);
    writeOctetString(out, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
  },
  decode(input) {
    const arcs: number[] = [];
    let arc = 0;
    for (const octet of readOctetString(input)) {
      arc = arc * 128 + (octet & 127);
      if (octet > 127) continue;
      arcs.push(arc);
      arc = 0;
    }
    const [head = 0, ...rest] = arcs;
    const first = Math.min(Math.floor(head / 40), 2);
    return [first, head - first * 40, ...rest].join('.');
  },
};

/** Seven bits an octet; all octets but the last have their highest bit set. */
function base128(arc: number): number[] {
  const octets = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) octets.unshift((rest % 128) + 128);
  return octets;
}
