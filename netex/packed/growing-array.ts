/**
 * Collects numbers in a typed array that doubles, without load on the garbage collector. Callers: builders of packed
 * forms, the facts of the filter.
 *
 * There is one class per type of number: a shared class makes every access four times as slow once it has met several
 * types.
 */
type NumberArray = Uint8Array | Int16Array | Uint32Array | Int32Array | Float64Array;

export interface GrowingArray<A extends NumberArray> {
  readonly length: number;
  push(value: number): void;
  append(values: ArrayLike<number>): void;
  get(index: number): number;
  set(index: number, value: number): void;
  /** A view of the numbers so far. */
  values(): A;
}

export type Int32List = GrowingArray<Int32Array>;
export type Uint32List = GrowingArray<Uint32Array>;

const FIRST_LENGTH = 64;

function growing<A extends NumberArray>(create: (length: number) => A): new () => GrowingArray<A> {
  return class implements GrowingArray<A> {
    #values = create(FIRST_LENGTH);
    length = 0;

    push(value: number): void {
      if (this.length === this.#values.length) this.#reserve(this.length + 1);
      this.#values[this.length++] = value;
    }

    append(values: ArrayLike<number>): void {
      this.#reserve(this.length + values.length);
      this.#values.set(values, this.length);
      this.length += values.length;
    }

    get(index: number): number {
      return this.#values[index] as number;
    }

    set(index: number, value: number): void {
      this.#values[index] = value;
    }

    values(): A {
      return this.#values.subarray(0, this.length) as A;
    }

    #reserve(length: number): void {
      if (length <= this.#values.length) return;
      const larger = create(Math.max(length, this.#values.length * 2));
      larger.set(this.#values.subarray(0, this.length));
      this.#values = larger;
    }
  };
}

const GrowingUint8 = growing((length) => new Uint8Array(length));
const GrowingInt16 = growing((length) => new Int16Array(length));
const GrowingUint32 = growing((length) => new Uint32Array(length));
const GrowingInt32 = growing((length) => new Int32Array(length));
const GrowingFloat64 = growing((length) => new Float64Array(length));

export const growingUint8 = (): GrowingArray<Uint8Array> => new GrowingUint8();
export const growingInt16 = (): GrowingArray<Int16Array> => new GrowingInt16();
export const growingUint32 = (): Uint32List => new GrowingUint32();
export const growingInt32 = (): Int32List => new GrowingInt32();
export const growingFloat64 = (): GrowingArray<Float64Array> => new GrowingFloat64();
