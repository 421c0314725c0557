/** Numbers that come one by one, kept in a typed array that doubles. Callers: builders of packed forms. */
type NumberArray = Uint8Array | Int16Array | Uint32Array | Int32Array | Float64Array;

export class GrowingArray<A extends NumberArray> {
  #values: A;
  readonly #create: (length: number) => A;
  length = 0;

  constructor(create: (length: number) => A) {
    this.#create = create;
    this.#values = create(64);
  }

  push(value: number): void {
    this.#reserve(this.length + 1);
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

  /** What there is so far; a view. */
  values(): A {
    return this.#values.subarray(0, this.length) as A;
  }

  #reserve(length: number): void {
    if (length <= this.#values.length) return;
    const larger = this.#create(Math.max(length, this.#values.length * 2));
    larger.set(this.#values.subarray(0, this.length));
    this.#values = larger;
  }
}

export const growingUint8 = () => new GrowingArray((length) => new Uint8Array(length));
export const growingInt16 = () => new GrowingArray((length) => new Int16Array(length));
export const growingUint32 = () => new GrowingArray((length) => new Uint32Array(length));
export const growingInt32 = () => new GrowingArray((length) => new Int32Array(length));
export const growingFloat64 = () => new GrowingArray((length) => new Float64Array(length));
