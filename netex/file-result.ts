/**
 * The contribution of one file to the report and to the rules over the whole dataset. Only `identifiers` and `timetable` grow
 * with the file. They take about 20 bytes an id, 24 bytes a journey, and each different pattern, time-demand type and
 * set of days once.
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
  /** Number of Line and FlexibleLine elements. */
  readonly lines: number;
  readonly serviceJourneys: number;
  /** At most 50 per rule (100 from the schema), by line, column and code. */
  readonly findings: readonly Finding[];
  /** Complete even when `findings` is cut. Only codes with findings. */
  readonly counts: Readonly<Record<string, number>>;
  /** Codes whose count stopped at a limit: the true count is higher. */
  readonly capped: readonly string[];
  /** Last day (yyyy-MM-dd) on which the file's calendar may run anything; null when it gives none. */
  readonly lastDay: string | null;
  /** Ids for the rules over the dataset, in the packed form of dataset/identifiers.ts. */
  readonly identifiers: Uint8Array;
  /** Lines, interchanges, journeys: dataset/timetable/timetable-extract.ts. Empty when the file could not be read. */
  readonly timetable: Uint8Array;
}

/** Encoded form of decoded results, so that storing them again is free. */
const encodedForms = new WeakMap<FileResult, Uint8Array>();
const PARTS = 4;
const LENGTH_BYTES = 4;

/**
 * One block of bytes: lengths of the parts, then JSON of the small facts, JSON of the findings, identifiers,
 * timetable.
 */
export function encodeFileResult(result: FileResult): Uint8Array {
  const known = encodedForms.get(result);
  if (known) return known;
  const { findings, identifiers, timetable, ...facts } = result;
  const parts = [encodeJson(facts), encodeJson(findings), identifiers, timetable];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, PARTS * LENGTH_BYTES));
  const view = new DataView(bytes.buffer);
  let at = PARTS * LENGTH_BYTES;
  parts.forEach((part, index) => {
    view.setUint32(index * LENGTH_BYTES, part.length);
    bytes.set(part, at);
    at += part.length;
  });
  return bytes;
}

/**
 * Decodes the findings on demand: they are the largest part, and most readers want only the ids. Keeps the bytes,
 * which must not change.
 */
export function decodeFileResult(bytes: Uint8Array): FileResult {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = PARTS * LENGTH_BYTES;
  const part = (index: number): Uint8Array => {
    const start = at;
    at += view.getUint32(index * LENGTH_BYTES);
    return bytes.subarray(start, at);
  };
  const [facts, findings, identifiers, timetable] = [part(0), part(1), part(2), part(3)];
  const result: FileResult = {
    ...(decodeJson(facts) as Omit<FileResult, 'findings' | 'identifiers' | 'timetable'>),
    get findings() {
      return decodeJson(findings) as readonly Finding[];
    },
    identifiers,
    timetable,
  };
  encodedForms.set(result, bytes);
  return result;
}

function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decodeJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
