/**
 * Decides whether an archive is a NeTEx dataset, and of which kind, from the beginning of each of its files.
 *
 * Caller: the activity of the step FILE_CLASSIFICATION. Checks every local header. Unpacks the data of entries only
 * as far as the decision needs; reading an entry whole later reveals a wrong checksum (also an ArchiveError).
 */
import { setImmediate } from 'node:timers/promises';
import { constants, inflateRawSync } from 'node:zlib';
import type { DatasetKind } from '../validation-context.ts';
import { XmlDecoder, XmlEncodingError } from '../xml/decode.ts';
import type { Archive, ArchiveEntry } from './archive.ts';
import { ArchiveError, shownName } from './archive-error.ts';
import { coalescedReader } from './coalesced-reader.ts';
import { tooLong, unpackingError } from './content-errors.ts';
import { findDatasetKind } from './dataset-kind.ts';
import { DEFLATED, type DirectoryRecord } from './directory.ts';
import { streamEntry } from './entry-data.ts';
import { shownBytes } from './limits.ts';
import { checkLocalHeader, checkWhatFollows, LOCAL_HEADER_BYTES, MAX_DESCRIPTOR_BYTES } from './local-header.ts';
import { archiveLikeness, areGtfsNames } from './looks-like.ts';
import { type RangeReader, readExactly } from './range-reader.ts';
import { checkHead, type HeadVerdict } from './xml-head.ts';

export interface Classification {
  readonly kind: DatasetKind;
  /** Number of XML files, and their unpacked bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Files other than XML: accepted, kept in the stored archive, never read. At most the first 100 by name. */
  readonly ignoredNames: readonly string[];
  readonly ignoredFiles: number;
}

export interface ClassifyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly entriesDone: number; readonly entriesTotal: number }) => void;
}

/** Packed bytes of each entry that are read at first; they nearly always contain the root element. */
const HEAD_BYTES = 1024;
const USUAL_EXTRA_BYTES = 64;
/** After so many entries, other work of the process runs. */
const ENTRIES_PER_TURN = 64;
const MAX_IGNORED_NAMES = 100;

export async function classifyArchive(archive: Archive, options: ClassifyOptions = {}): Promise<Classification> {
  refuseWithoutXml(archive);
  const verdicts = await checkEntries(archive, options);
  const netex = archive.entries.filter((entry) => verdicts[entry.index] === 'netex');
  if (netex.length === 0) refuseWithoutNetex(archive, verdicts);
  return {
    kind: await findDatasetKind(archive, netex, options),
    files: archive.entries.length,
    bytes: archive.entries.reduce((sum, entry) => sum + entry.bytes, 0),
    ignoredNames: archive.otherNames.slice(0, MAX_IGNORED_NAMES),
    ignoredFiles: archive.otherNames.length,
  };
}

function refuseWithoutXml(archive: Archive): void {
  const isGtfs = areGtfsNames(archive.otherNames);
  if (archive.entries.length > 0 && !isGtfs) return;
  const found = isGtfs ? 'GTFS tables' : `no XML file, but "${shownName(archive.otherNames[0] ?? '')}"`;
  throw new ArchiveError(
    'ERROR_FILE_UNKNOWN_FILE_TYPE',
    `The zip holds ${found}. Timetables are accepted as NeTEx: XML files that begin with PublicationDelivery.`,
  );
}

function refuseWithoutNetex(archive: Archive, verdicts: ReadonlyArray<HeadVerdict | undefined>): never {
  const malformed = archive.entries.find((entry) => verdicts[entry.index] === 'malformed');
  if (!malformed) {
    throw new ArchiveError(
      'ERROR_VALIDATION_NO_DATA',
      'Every XML file in the zip is empty. Put the NeTEx files in it.',
    );
  }
  const shown = shownName(malformed.name);
  throw new ArchiveError(
    'ERROR_FILE_INVALID_XML_CONTENT',
    `No file in the zip can be read as XML; the first that cannot is "${shown}". Check how the files were made.`,
    shown,
  );
}

/** By index of the entry; undefined for entries that are not XML. */
async function checkEntries(archive: Archive, options: ClassifyOptions): Promise<Array<HeadVerdict | undefined>> {
  const { recordsByOffset, directoryOffset } = archive;
  const xml = new Map(archive.entries.map((entry) => [entry.index, entry]));
  const reader = coalescedReader(archive.reader, plannedSpans(archive));
  const verdicts: Array<HeadVerdict | undefined> = [];
  for (const [done, record] of recordsByOffset.entries()) {
    options.signal?.throwIfAborted();
    const dataOffset = await checkLocalHeader(archive, record, reader);
    verdicts[record.index] = await checkEntry(archive, record, xml.get(record.index), dataOffset, reader, options);
    const next = recordsByOffset[done + 1]?.offset ?? directoryOffset;
    await checkWhatFollows(reader, record, dataOffset + record.compressedBytes, next);
    if ((done + 1) % ENTRIES_PER_TURN === 0 || done + 1 === recordsByOffset.length) {
      options.onProgress?.({ entriesDone: done + 1, entriesTotal: recordsByOffset.length });
      await setImmediate();
    }
  }
  return verdicts;
}

/** The spans to read: each header with the beginning of its data, and the few bytes before the next. */
function plannedSpans({ recordsByOffset, directoryOffset }: Archive): Array<{ start: number; end: number }> {
  const before = (offset: number): number => Math.max(0, offset - MAX_DESCRIPTOR_BYTES);
  const spans = recordsByOffset.map(({ offset, nameBytes, compressedBytes }) => {
    const headerBytes = LOCAL_HEADER_BYTES + nameBytes.length + USUAL_EXTRA_BYTES;
    const end = Math.min(directoryOffset, offset + headerBytes + Math.min(compressedBytes, HEAD_BYTES));
    return { start: before(offset), end };
  });
  return [...spans, { start: before(directoryOffset), end: directoryOffset }];
}

async function checkEntry(
  archive: Archive,
  record: DirectoryRecord,
  entry: ArchiveEntry | undefined,
  dataOffset: number,
  reader: RangeReader,
  options: ClassifyOptions,
): Promise<HeadVerdict | undefined> {
  const shown = shownName(record.name);
  const packed = await readExactly(reader, dataOffset, Math.min(record.compressedBytes, HEAD_BYTES));
  const head = record.method === DEFLATED ? inflateHead(packed, record, shown) : packed;
  const likeness = archiveLikeness(head);
  if (likeness) {
    throw new ArchiveError(
      'ARCHIVE_NESTED',
      `"${shown}" is ${likeness} within the archive. Put the files themselves in the zip.`,
      shown,
    );
  }
  if (!entry) return undefined;
  try {
    const { maxPrologBytes } = archive.limits;
    const complete = head.length === record.bytes && head.length <= maxPrologBytes;
    const verdict = checkHead(decodeHead(head.subarray(0, maxPrologBytes), complete), complete, shown);
    return verdict === 'more' ? await checkLongHead(archive, entry, shown, options) : verdict;
  } catch (error) {
    if (!(error instanceof XmlEncodingError)) throw error;
    throw new ArchiveError(error.code, `"${shown}": ${error.message}`, shown);
  }
}

/** The beginning of an entry from the beginning of its packed data, which may hold it whole. */
function inflateHead(packed: Buffer, record: DirectoryRecord, shown: string): Buffer {
  try {
    const head = inflateRawSync(packed, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: Math.max(1, record.bytes),
    });
    if (head.length <= record.bytes) return head;
  } catch (error) {
    if (!(error instanceof RangeError)) throw unpackingError(error, shown);
  }
  throw tooLong(record);
}

function decodeHead(head: Uint8Array, complete: boolean): string {
  const decoder = new XmlDecoder();
  const text = decoder.write(head);
  return complete ? text + decoder.end() : text;
}

/** For a root element after a long comment, or packed data whose first kilobyte yields little. */
async function checkLongHead(
  archive: Archive,
  entry: ArchiveEntry,
  shown: string,
  { signal }: ClassifyOptions,
): Promise<HeadVerdict> {
  const { maxPrologBytes } = archive.limits;
  const decoder = new XmlDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of streamEntry(archive, entry, { signal })) {
    const wanted = chunk.subarray(0, maxPrologBytes - bytes);
    text += decoder.write(wanted);
    bytes += wanted.length;
    const verdict = checkHead(text, false, shown);
    if (verdict !== 'more') return verdict;
    if (bytes >= maxPrologBytes) {
      throw new ArchiveError(
        'ERROR_FILE_INVALID_XML_CONTENT',
        `No element begins within the first ${shownBytes(maxPrologBytes)} of "${shown}". Remove what stands before PublicationDelivery.`,
        shown,
      );
    }
  }
  return checkHead(text + decoder.end(), true, shown);
}
