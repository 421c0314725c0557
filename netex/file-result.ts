/**
 * What one file contributes to the report and to the rules over the whole dataset, small whatever the file's size but
 * for `identifiers` (about 20 bytes an id) and `timetable` (24 bytes a journey, and each different pattern, rhythm of
 * times and set of days once).
 *
 * Callers: `validateFile` makes it; activities store it between batches; the dataset rules and the report read it.
 */
import type { FileKind, Finding } from './finding.ts';

export interface FileResult {
  readonly name: string;
  readonly kind: FileKind;
  readonly bytes: number;
  /** Folder of the XSDs used, e.g. `1.13`; null when the file could not be read at all. */
  readonly schemaVersion: string | null;
  /** Line and FlexibleLine elements. */
  readonly lines: number;
  readonly serviceJourneys: number;
  /** At most 50 per rule (100 of the schema's), by line, column and code. */
  readonly findings: readonly Finding[];
  /** Complete, also where `findings` is cut. Only codes that were found. */
  readonly counts: Readonly<Record<string, number>>;
  /** Codes whose counting stopped at a limit: the true count is higher. */
  readonly capped: readonly string[];
  /** Last day (yyyy-MM-dd) on which the file's calendar may run anything; null when it says none. */
  readonly lastDay: string | null;
  /** Ids for the rules over the dataset, in the packed form of dataset/identifiers.ts. */
  readonly identifiers: Uint8Array;
  /** Lines, interchanges, journeys: dataset/timetable/timetable-extract.ts. Empty when the file could not be read. */
  readonly timetable: Uint8Array;
}

const HEADER_BYTES = 8;

/** One block of bytes: lengths of the JSON part and of the identifiers, JSON, identifiers, timetable. */
export function encodeFileResult(result: FileResult): Uint8Array {
  const { identifiers, timetable, ...rest } = result;
  const json = new TextEncoder().encode(JSON.stringify(rest));
  const identifiersAt = HEADER_BYTES + json.length;
  const bytes = new Uint8Array(identifiersAt + identifiers.length + timetable.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, identifiers.length);
  bytes.set(json, HEADER_BYTES);
  bytes.set(identifiers, identifiersAt);
  bytes.set(timetable, identifiersAt + identifiers.length);
  return bytes;
}

export function decodeFileResult(bytes: Uint8Array): FileResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const identifiersAt = HEADER_BYTES + view.getUint32(0);
  const timetableAt = identifiersAt + view.getUint32(4);
  const rest = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES, identifiersAt))) as Omit<
    FileResult,
    'identifiers' | 'timetable'
  >;
  return { ...rest, identifiers: bytes.subarray(identifiersAt, timetableAt), timetable: bytes.subarray(timetableAt) };
}
