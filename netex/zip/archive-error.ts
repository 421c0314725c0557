/**
 * Why an archive is refused: one stable code and one sentence that a timetable planner can act on.
 *
 * Thrown by everything in netex/zip for faults that the sender must correct. A failing object store is never an
 * ArchiveError: its error passes unchanged, so that callers may retry.
 */

/** Codes are API: never renamed. The `ERROR_FILE_…` ones come from the list of rules, the others are our own. */
export type ArchiveErrorCode =
  | 'ERROR_FILE_NOT_A_ZIP_FILE'
  | 'ERROR_FILE_UNKNOWN_FILE_TYPE'
  | 'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES'
  | 'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING'
  | 'ERROR_FILE_INVALID_XML_ENCODING_ERROR'
  | 'ERROR_FILE_INVALID_XML_CONTENT'
  | 'ERROR_VALIDATION_NO_DATA'
  | 'DOCTYPE_FORBIDDEN'
  /** Truncated, a wrong checksum, or a structure that cannot be followed. */
  | 'ARCHIVE_DAMAGED'
  /** Two places of the archive contradict each other about one entry, or about the archive. */
  | 'ARCHIVE_CONTRADICTORY'
  /** Entries share bytes. */
  | 'ARCHIVE_OVERLAPPING'
  /** Bytes that belong to no entry: before, between or after what the directory lists. */
  | 'ARCHIVE_FOREIGN_BYTES'
  | 'ARCHIVE_DUPLICATE_NAME'
  | 'ARCHIVE_UNSAFE_NAME'
  | 'ARCHIVE_ENCRYPTED'
  | 'ARCHIVE_NESTED'
  /** A symbolic link or a device. */
  | 'ARCHIVE_SPECIAL_FILE'
  | 'ARCHIVE_METHOD_UNSUPPORTED'
  | 'ARCHIVE_SPLIT'
  | 'ARCHIVE_TOO_MANY_ENTRIES'
  | 'ARCHIVE_TOO_LARGE'
  | 'ARCHIVE_RATIO';

export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;
  /** The faulty entry, as `shownName` writes it; undefined when the fault is the archive's. */
  readonly entryName: string | undefined;

  constructor(code: ArchiveErrorCode, message: string, entryName?: string) {
    super(message);
    this.name = 'ArchiveError';
    this.code = code;
    this.entryName = entryName;
  }
}

const SHOWN_CHARACTERS = 100;
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name safe for a message: control and invisible characters escaped, cut to a readable length. */
export function shownName(name: string): string {
  const printable = name.replace(NOT_PRINTABLE, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
  return printable.length > SHOWN_CHARACTERS ? `${printable.slice(0, SHOWN_CHARACTERS)}…` : printable;
}

/** The next step for an unsound archive; the end of most messages. */
export const MAKE_ANEW = 'Make the zip file anew from the original files and send it again.';

export function damaged(what: string, entryName?: string): ArchiveError {
  return new ArchiveError('ARCHIVE_DAMAGED', `${what} ${MAKE_ANEW}`, entryName);
}

export function contradictory(what: string, entryName?: string): ArchiveError {
  return new ArchiveError('ARCHIVE_CONTRADICTORY', `${what} ${MAKE_ANEW}`, entryName);
}

export function foreignBytes(what: string, entryName?: string): ArchiveError {
  return new ArchiveError('ARCHIVE_FOREIGN_BYTES', `${what} ${MAKE_ANEW}`, entryName);
}
