/** What every ASN.1 type of this library can do. */
import { BitReader } from './bit-reader.ts';
import { BitWriter } from './bit-writer.ts';

export interface PerType<Value> {
  /** In ASN.1, or the name of a type with a name of its own. */
  readonly notation: string;
  /** Throws a `PerError` for a value that the type does not allow. */
  encode(value: Value, out: BitWriter): void;
  /** Throws a `PerError` for bits that are no encoding. */
  decode(input: BitReader): Value;
}

// biome-ignore lint/suspicious/noExplicitAny: a structure holds types of different values
export type AnyPerType = PerType<any>;

/** The values of a type. */
export type ValueOf<Type> = Type extends PerType<infer Value> ? Value : never;

/** A whole value, padded to octets. */
export function encodePer<Value>(type: PerType<Value>, value: Value): Buffer {
  const out = new BitWriter();
  type.encode(value, out);
  return out.toBuffer();
}

/** Bytes that hold one value and nothing behind it. */
export function decodePer<Value>(type: PerType<Value>, octets: Uint8Array): Value {
  const input = new BitReader(octets);
  const value = type.decode(input);
  input.assertEnd();
  return value;
}
