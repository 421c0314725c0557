/**
 * The memory limits of a validation worker: the largest file that it accepts, and the process size at which it gives a
 * file up. Callers: validation-role.ts; the steps that read whole files in the worker's own thread.
 */
import { ArchiveError } from '../../netex/zip/index.ts';
import { DEFAULT_ARCHIVE_LIMITS, shownBytes } from '../../netex/zip/limits.ts';

const MB = 1_000_000;

/** The process without a file, a full heap of the validation thread, its schemas: `node dev/bench/entry-memory.ts`. */
const RESERVED_BYTES = 700 * MB;
/** Memory for each byte of a file, which is held whole, and the most that its ids, times and result take beside the heap. */
const BYTES_PER_BYTE = 1.5;
/** Line files have at most 60 MB. A worker too small for this would refuse what is usual. */
const LEAST_ENTRY_BYTES = 64 * 1024 * 1024;
/** The rest covers allocations between two looks at the size. */
const USED_SHARE = 0.88;

/** The largest file that is accepted where configuration names no limit. */
export function entryLimitBytes(memoryBytes: number): number {
  const bytes = Math.floor((memoryBytes - RESERVED_BYTES) / BYTES_PER_BYTE);
  return Math.min(DEFAULT_ARCHIVE_LIMITS.maxEntryBytes, Math.max(LEAST_ENTRY_BYTES, bytes));
}

/** The resident size at which a process of so much memory gives up what it reads, before the system ends it. */
export function givesUpAtBytes(memoryBytes: number): number {
  return Math.floor(memoryBytes * USED_SHARE);
}

/** Answers the same chunks, and counts them. */
export type MemoryGuard = (
  chunks: AsyncIterable<Uint8Array>,
  file: { readonly name: string; readonly bytes: number },
) => AsyncGenerator<Uint8Array>;

/**
 * For the files that one step reads one after another, until the process has reached that size. When the step has read
 * much by then, it throws an ArchiveError, for the sender: another process of this size would meet the same end. When
 * it has read little, earlier work has filled the process; then it throws an error that Temporal tries again.
 */
export function guardMemory(limitBytes: number): MemoryGuard {
  let readBytes = 0;
  return async function* (chunks, file) {
    for await (const chunk of chunks) {
      if (process.memoryUsage.rss() > limitBytes) {
        if (readBytes < LEAST_ENTRY_BYTES) throw new Error('This process has no memory left for another file');
        throw tooLargeForMemory(`"${file.name}" (${shownBytes(file.bytes)} unpacked)`);
      }
      readBytes += chunk.length;
      yield chunk;
    }
  };
}

function tooLargeForMemory(what: string): ArchiveError {
  return new ArchiveError(
    'ARCHIVE_TOO_LARGE',
    `${what} needs more memory than this service has for it. Divide it into several files, best one for each line.`,
  );
}

/** For a step that ended its process while it read so much. It is not tried again: the size is the likely reason. */
export function endedProcess(bytes: number): ArchiveError {
  return new ArchiveError(
    'ARCHIVE_TOO_LARGE',
    `A process of this service ended while it read ${shownBytes(bytes)} of this dataset at one time, and did not try again. Divide large files, best into one for each line; if the dataset was accepted before, send it again.`,
  );
}
