/**
 * Serves many small reads in rising order from few large ones, fetched ahead. An object store answers a small request
 * hardly faster than one of some megabytes.
 *
 * Callers: classification (thousands of headers), entry-data.ts (header and data of one entry in one request, those
 * of many small entries in few).
 */
import { type RangeReader, readExactly } from './range-reader.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reading this much unneeded data costs less than another request. */
const MAX_GAP_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 4 * 1024 * 1024;
/** Windows fetched or in progress at one time; times the size above, this is the memory used. */
const WINDOWS_AHEAD = 4;

/** Joins spans (rising by start) that are close to each other, as long as the window stays bounded. */
function coalesce(spans: readonly Span[]): Span[] {
  const windows: Array<{ start: number; end: number }> = [];
  for (const span of spans) {
    const last = windows.at(-1);
    if (last && span.start - last.end <= MAX_GAP_BYTES && span.end - last.start <= MAX_WINDOW_BYTES) {
      last.end = Math.max(last.end, span.end);
    } else {
      windows.push({ ...span });
    }
  }
  return windows;
}

/** Reads outside the planned windows, or before the current one, go straight to the underlying reader. */
export function coalescedReader(reader: RangeReader, spans: readonly Span[]): RangeReader {
  const windows = coalesce(spans);
  const fetched = new Map<number, Promise<Buffer>>();
  let current = 0;

  const fetch = (index: number): Promise<Buffer> | undefined => {
    const window = windows[index];
    if (!window) return undefined;
    let bytes = fetched.get(index);
    if (!bytes) {
      bytes = readExactly(reader, window.start, window.end - window.start);
      // A read that awaits this window gets the failure; in a window that is no longer needed it must not end the
      // process.
      bytes.catch(() => undefined);
      fetched.set(index, bytes);
    }
    return bytes;
  };

  return {
    sizeBytes: reader.sizeBytes,
    async read(offset, lengthBytes) {
      let index = current;
      while (index < windows.length && (windows[index]?.end ?? 0) < offset + lengthBytes) index++;
      const window = windows[index];
      if (!window || offset < window.start) return reader.read(offset, lengthBytes);
      for (; current < index; current++) fetched.delete(current);
      for (let ahead = 1; ahead < WINDOWS_AHEAD; ahead++) fetch(index + ahead);
      const bytes = await fetch(index);
      return bytes ? bytes.subarray(offset - window.start, offset - window.start + lengthBytes) : new Uint8Array(0);
    },
  };
}

/** Windows whose bytes are kept: entries are mostly stored in the order of reading. */
const WINDOWS_KEPT = 3;

/** The same for reads in any order: each window is fetched whole when it is first needed, the last few are kept. */
export function windowedReader(reader: RangeReader, spans: readonly Span[]): RangeReader {
  const windows = coalesce(spans.toSorted((a, b) => a.start - b.start));
  const kept = new Map<Span, Promise<Buffer>>();
  return {
    sizeBytes: reader.sizeBytes,
    async read(offset, lengthBytes) {
      const window = windows.find(({ start, end }) => start <= offset && offset + lengthBytes <= end);
      if (!window) return reader.read(offset, lengthBytes);
      const known = kept.get(window) ?? readExactly(reader, window.start, window.end - window.start);
      kept.delete(window);
      kept.set(window, known);
      for (const oldest of kept.keys()) {
        if (kept.size <= WINDOWS_KEPT) break;
        kept.delete(oldest);
      }
      try {
        return (await known).subarray(offset - window.start, offset - window.start + lengthBytes);
      } catch (error) {
        if (kept.get(window) === known) kept.delete(window);
        throw error;
      }
    },
  };
}
