/**
 * The two forms of an ECDSA signature on P-256: DER, in barcodes, and the two numbers side by side, in a JWS (RFC 7518, 3.4).
 */
const NUMBER_BYTES = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;
const SIGN_BIT = 0x80;

/** Throws RangeError for what is no such signature. */
export function toJoseSignature(der: Uint8Array): Buffer {
  const [r, afterR] = readInteger(der, readSequence(der));
  const [s, end] = readInteger(der, afterR);
  if (end !== der.length) throw new RangeError('The signature has bytes behind it');
  return Buffer.concat([r, s]);
}

/** Undefined for what is no such signature. */
export function fromJoseSignature(jose: Uint8Array): Buffer | undefined {
  if (jose.length !== 2 * NUMBER_BYTES) return undefined;
  const numbers = [jose.subarray(0, NUMBER_BYTES), jose.subarray(NUMBER_BYTES)].map(writeInteger);
  const content = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([SEQUENCE, content.length]), content]);
}

function readSequence(der: Uint8Array): number {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) throw new RangeError('The signature is no DER');
  return 2;
}

function readInteger(der: Uint8Array, at: number): readonly [Buffer, number] {
  const [tag, length = 0] = der.subarray(at, at + 2);
  const end = at + 2 + length;
  const bytes = Buffer.from(der.subarray(at + 2, end));
  const value = bytes[0] === 0 ? bytes.subarray(1) : bytes;
  if (tag !== INTEGER || end > der.length || length === 0 || value.length > NUMBER_BYTES) {
    throw new RangeError('The signature is none on P-256');
  }
  return [Buffer.concat([Buffer.alloc(NUMBER_BYTES - value.length), value]), end];
}

/** As short as it may be, and never negative. */
function writeInteger(number: Uint8Array): Buffer {
  const start = number.findIndex((byte) => byte !== 0);
  const value = start < 0 ? Uint8Array.of(0) : number.subarray(start);
  const padded = (value[0] ?? 0) & SIGN_BIT ? Buffer.concat([Buffer.of(0), value]) : value;
  return Buffer.concat([Buffer.of(INTEGER, padded.length), padded]);
}
