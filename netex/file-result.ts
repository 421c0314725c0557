/**
 * What one file contributes to the report and to the rules over the whole dataset, small whatever the file's size but
 * for `identifiers` (about 20 bytes an id).
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
}

const HEADER_BYTES = 4;

/** One block of bytes: length of the JSON part, JSON, identifiers. */
export function encodeFileResult(result: FileResult): Uint8Array {
  const { identifiers, ...rest } = result;
  const json = new TextEncoder().encode(JSON.stringify(rest));
  const bytes = new Uint8Array(HEADER_BYTES + json.length + identifiers.length);
  new DataView(bytes.buffer).setUint32(0, json.length);
  bytes.set(json, HEADER_BYTES);
  bytes.set(identifiers, HEADER_BYTES + json.length);
  return bytes;
}

export function decodeFileResult(bytes: Uint8Array): FileResult {
  const jsonBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const end = HEADER_BYTES + jsonBytes;
  const rest = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_BYTES, end))) as Omit<
    FileResult,
    'identifiers'
  >;
  return { ...rest, identifiers: bytes.subarray(end) };
}
