/**
 * Accepts entry names that are plain file names in UTF-8, which every system can store.
 *
 * Caller: directory.ts. We never write entries to a disk under these names, but people who download a dataset do.
 */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { ArchiveError, shownName } from './archive-error.ts';

const MAX_NAME_BYTES = 255;
const SEPARATOR = /[/\\]/;
/** Control, formatting (zero-width, direction marks), private and unassigned characters, line separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const FORBIDDEN_CHARACTER = /[<>:"|?*]/;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * The name of an entry. ASCII is valid under any flag. Other characters must be valid UTF-8, with or without the flag
 * for it (macOS does not set it). Names in an old code page (æ, ø, å in CP437 or CP1252) are not guessed.
 */
export function decodeEntryName(bytes: Buffer, unicodePath: Buffer | undefined): string {
  if (!isUtf8(bytes)) throw notUtf8(bytes.toString('latin1'));
  const name = bytes.toString('utf8');
  const isSecondName = unicodePath && unicodePath.length >= 5 && unicodePath.readUInt32LE(1) === crc32(bytes);
  if (isSecondName && !unicodePath.subarray(5).equals(bytes)) throw notUtf8(name);
  return name;
}

function notUtf8(name: string): ArchiveError {
  const shown = shownName(name);
  return new ArchiveError(
    'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
    `The file name "${shown}" in the zip is not written in UTF-8. Use the letters a–z in file names, or a zip program that writes UTF-8.`,
    shown,
  );
}

/** Throws ArchiveError for a name that is a path or that some system cannot store. */
export function checkEntryName(name: string): void {
  const shown = shownName(name);
  if (SEPARATOR.test(name)) {
    const macOs = name.startsWith('__MACOSX/') ? ' macOS adds that folder when the Finder compresses.' : '';
    throw new ArchiveError(
      'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
      `The zip holds a folder or a path: "${shown}".${macOs} Put all files at the top level of the zip and send it again.`,
      shown,
    );
  }
  const fault = nameFault(name);
  if (!fault) return;
  throw new ArchiveError(
    'ARCHIVE_UNSAFE_NAME',
    `The file name "${shown}" in the zip ${fault}. Rename the file and send the zip again.`,
    shown,
  );
}

function nameFault(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name === '.' || name === '..') return 'names a folder';
  if (UNPRINTABLE.test(name)) return 'holds invisible or control characters';
  if (FORBIDDEN_CHARACTER.test(name))
    return 'holds a character that file names cannot have on every system (< > : " | ? *)';
  if (DEVICE.test(name)) return 'is the name of a device on Windows';
  if (/[. ]$/.test(name)) return 'ends with a dot or a space';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  return undefined;
}

/** Two names with one key cannot be in one folder on every system: case and composed letters (å) count as equal. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}
