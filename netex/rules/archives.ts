/**
 * Codes for archives that are unsound or unsafe; they are our own and not in the public list of rules. netex/zip
 * checks and words each case; these are the rows of the catalogue.
 */
import type { ArchiveErrorCode } from '../zip/index.ts';
import { DEFAULT_ARCHIVE_LIMITS, shownBytes } from '../zip/limits.ts';
import { intakeRule } from './intake.ts';
import type { Rule } from './rule.ts';

function archiveRule(
  ...[code, ...texts]: [Extract<ArchiveErrorCode, `ARCHIVE_${string}`>, string, string, string, string]
): Rule {
  return intakeRule(code, ...texts);
}

const { maxEntries, maxEntryBytes, maxTotalBytes, maxRatio } = DEFAULT_ARCHIVE_LIMITS;
const MAKE_ANEW = 'Make the zip file anew from the original files and send it again.';

export const archiveRules: readonly Rule[] = [
  archiveRule(
    'ARCHIVE_DAMAGED',
    'Damaged archive',
    'The archive is cut off or unreadable, or a checksum does not match',
    'A zip whose transfer was broken off',
    MAKE_ANEW,
  ),
  archiveRule(
    'ARCHIVE_CONTRADICTORY',
    'Archive that contradicts itself',
    'Two places of the archive say different things about one file, or about the archive',
    'A size in the directory that differs from the one before the data',
    MAKE_ANEW,
  ),
  archiveRule(
    'ARCHIVE_OVERLAPPING',
    'Overlapping files',
    'Files of the archive share bytes',
    'Two entries that point to the same data',
    MAKE_ANEW,
  ),
  archiveRule(
    'ARCHIVE_FOREIGN_BYTES',
    'Foreign bytes',
    'Bytes that belong to no file stand before, between or after what the directory lists',
    'A program put before the zip that unpacks it',
    MAKE_ANEW,
  ),
  archiveRule(
    'ARCHIVE_DUPLICATE_NAME',
    'Duplicate file name',
    'Two names in the archive are equal, also when only upper and lower case differ',
    'line.xml and Line.xml',
    'Give each file a name of its own.',
  ),
  archiveRule(
    'ARCHIVE_UNSAFE_NAME',
    'Unsafe file name',
    'A name that not every system can write, or that hides characters',
    'line?.xml',
    'Name the file with letters, digits, spaces, hyphens, underscores and dots.',
  ),
  archiveRule(
    'ARCHIVE_ENCRYPTED',
    'Encrypted archive',
    'A file of the archive is protected by a password',
    'A zip made with a password',
    'Pack the files without a password.',
  ),
  archiveRule(
    'ARCHIVE_NESTED',
    'Archive within the archive',
    'A file of the archive is an archive itself',
    'lines.zip within timetable.zip',
    'Put the files themselves in the zip.',
  ),
  archiveRule(
    'ARCHIVE_SPECIAL_FILE',
    'Not a plain file',
    'The archive holds a link, a device or a pipe',
    'A symbolic link to line.xml',
    'Pack the files themselves instead of links to them.',
  ),
  archiveRule(
    'ARCHIVE_METHOD_UNSUPPORTED',
    'Packing method',
    'A file is packed by another method than stored or Deflate',
    'A zip made with LZMA',
    'Choose Deflate, the usual method of zip.',
  ),
  archiveRule(
    'ARCHIVE_SPLIT',
    'Split archive',
    'The file is one part of an archive in several parts',
    'timetable.z01',
    'Make the zip in one part.',
  ),
  archiveRule(
    'ARCHIVE_TOO_MANY_ENTRIES',
    'Too many files',
    `The archive holds more files than ${maxEntries.toLocaleString('en')}, unless the service is set otherwise`,
    'A zip of 20,000 files',
    'Send fewer files: one for each line, and a few common ones.',
  ),
  archiveRule(
    'ARCHIVE_TOO_LARGE',
    'Archive too large',
    `A file unpacks to more than ${shownBytes(maxEntryBytes)}, or all files together to more than ${shownBytes(maxTotalBytes)}, unless the service is set otherwise`,
    'A file of 3 GiB',
    'Split the file into one for each line, or send a shorter period.',
  ),
  archiveRule(
    'ARCHIVE_RATIO',
    'Packed too densely',
    `A file, or the archive, unpacks to more than ${maxRatio} times its packed size, which no timetable does; set otherwise by the service only`,
    'A file of a gigabyte of spaces',
    'Look for content that is repeated without end, and export anew.',
  ),
];
