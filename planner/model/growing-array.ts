/** Typed arrays that grow by doubling. The builder keeps a country's times in them without an object per journey. */

export class GrowingInt32 {
  #values = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  pushAll(values: readonly number[]): void {
    if (this.#length + values.length > this.#values.length) this.#grow(this.#length + values.length);
    this.#values.set(values, this.#length);
    this.#length += values.length;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Returns a view of the values. A later `push` invalidates it. */
  view(): Int32Array {
    return this.#values.subarray(0, this.#length);
  }

  #grow(least: number): void {
    const larger = new Int32Array(Math.max(least, this.#values.length * 2));
    larger.set(this.#values);
    this.#values = larger;
  }
}

export class GrowingBytes {
  #values = Buffer.alloc(4096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes after the end and returns the number of bytes. Without `keep` the next write overwrites it. */
  write(text: string): number {
    this.#makeRoom(text.length * 3);
    return this.#values.write(text, this.#length);
  }

  writeBytes(bytes: Uint8Array): number {
    this.#makeRoom(bytes.length);
    this.#values.set(bytes, this.#length);
    return bytes.length;
  }

  keep(bytes: number): void {
    this.#length += bytes;
  }

  /** Returns a view of all written bytes, kept or not. A later `write` invalidates it. */
  memory(): Buffer {
    return this.#values;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#values.length) return;
    const larger = Buffer.alloc(Math.max(this.#length + bytes, this.#values.length * 2));
    this.#values.copy(larger, 0, 0, this.#length);
    this.#values = larger;
  }
}
