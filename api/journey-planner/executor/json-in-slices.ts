/**
 * Writes a long answer as JSON in slices, because `JSON.stringify` of 80 MB blocks the event loop for more than a
 * second. The bytes equal those of `JSON.stringify`. It handles the data of execution: objects, lists and plain JSON
 * values, without `toJSON`. Callers: `direct-answers.ts` and `apollo-server.ts`.
 */
import type { TimeSlices } from './time-slices.ts';

const CHUNK_CHARACTERS = 200_000;
/** A list above this length is written item by item. */
const SHORT_LIST = 10;

/** Yields consecutive parts of the text. */
export async function jsonInSlices(value: unknown, slices: TimeSlices): Promise<string[]> {
  const chunks: string[] = [];
  let chunk = '';
  for (const part of partsOf(value)) {
    chunk += part;
    if (chunk.length >= CHUNK_CHARACTERS) {
      chunks.push(chunk);
      chunk = '';
    }
    if (slices.isOver()) await slices.turn();
  }
  chunks.push(chunk);
  return chunks;
}

function* partsOf(value: unknown): Generator<string, void, undefined> {
  if (!isLong(value)) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
    if (!isList && item === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    before = ',';
    yield* partsOf(item);
  }
  yield isList ? ']' : '}';
}

/** Whether the value contains a long list at any depth. Such a list is never empty. */
function isLong(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > SHORT_LIST || value.some(isLong);
  return Object.values(value).some(isLong);
}
