/** Larger copies of working arrays, for lists that grow; `used` elements are kept. */
export function grownInt32(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(array.length > length ? array.subarray(0, length) : array);
  return grown;
}

export function grownFloat64(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length);
  grown.set(array.length > length ? array.subarray(0, length) : array);
  return grown;
}

export function grownUint8(array: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(length);
  grown.set(array.length > length ? array.subarray(0, length) : array);
  return grown;
}

export function grownUint16(array: Uint16Array, length: number): Uint16Array<ArrayBuffer> {
  const grown = new Uint16Array(length);
  grown.set(array.length > length ? array.subarray(0, length) : array);
  return grown;
}
