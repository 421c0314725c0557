/**
 * Runs a scan over one file of an archive, chunk by chunk. Callers: the planner's importer and the readers of whole
 * datasets here.
 */
import { XmlDecoder, XmlEncodingError } from '../xml/decode.ts';
import { NotWellFormedError, type ScanListener, Scanner } from '../xml/scan.ts';
import { type Archive, type ArchiveEntry, streamEntry } from '../zip/index.ts';

export async function* entryText(archive: Archive, entry: ArchiveEntry, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = new XmlDecoder();
  for await (const chunk of streamEntry(archive, entry, { signal })) yield decoder.write(chunk);
  yield decoder.end();
}

/** Throws ArchiveError, XmlEncodingError, NotWellFormedError, and the signal's reason. */
export async function scanEntry(
  archive: Archive,
  entry: ArchiveEntry,
  listener: ScanListener,
  signal?: AbortSignal,
): Promise<void> {
  const scanner = new Scanner(listener);
  for await (const text of entryText(archive, entry, signal)) {
    signal?.throwIfAborted();
    scanner.write(text);
  }
  scanner.close();
}

/** The file itself is faulty; reading it again would not help. */
export function isUnreadable(error: unknown): error is NotWellFormedError | XmlEncodingError {
  return error instanceof NotWellFormedError || error instanceof XmlEncodingError;
}
