/** Guesses the format of bytes, for messages and to find archives within archives. Never decides what is accepted. */

const MAGIC: ReadonlyArray<readonly [string, readonly number[]]> = [
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a zip archive', [0x50, 0x4b, 0x05, 0x06]],
  ['a zip archive', [0x50, 0x4b, 0x07, 0x08]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ['an XZ archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['a bzip2 archive', [0x42, 0x5a, 0x68]],
  ['a Zstandard archive', [0x28, 0xb5, 0x2f, 0xfd]],
];
const TAR_MAGIC_OFFSET = 257;
const ARCHIVE_ENDING = /\.(zip|jar|gz|tgz|bz2|tbz2?|xz|txz|zst|7z|rar|tar|lz|lzma|cab|arj)$/i;

/** `a gzip archive` and so on, by the first bytes; undefined for other formats. */
export function archiveLikeness(head: Uint8Array): string | undefined {
  const magic = MAGIC.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
  if (magic) return magic[0];
  const tar = Buffer.from(head.subarray(TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5)).toString('latin1');
  return tar === 'ustar' ? 'a tar archive' : undefined;
}

export function isNamedAsArchive(name: string): boolean {
  return ARCHIVE_ENDING.test(name);
}

/** Words for a message; undefined for unknown formats. */
export function looksLike(head: Uint8Array): string | undefined {
  const archive = archiveLikeness(head);
  if (archive) return archive;
  const text = Buffer.from(head.subarray(0, 512)).toString('latin1').replace(/^ï»¿/, '').trimStart();
  if (/^<!doctype html|^<html/i.test(text)) return 'a web page (HTML)';
  if (text.startsWith('<')) return 'an XML file';
  if (text.startsWith('%PDF-')) return 'a PDF document';
  if (/^[{[]/.test(text)) return 'JSON';
  if (/^"?(agency|route|trip|stop|service|shape|feed)_[a-z]+"?,/.test(text)) return 'a GTFS table';
  return undefined;
}

const GTFS_TABLES = new Set(['agency.txt', 'stops.txt', 'routes.txt', 'trips.txt', 'stop_times.txt', 'calendar.txt']);
const GTFS_TABLES_ENOUGH = 3;

/** Whether these are file names of a GTFS feed. */
export function areGtfsNames(names: readonly string[]): boolean {
  return names.filter((name) => GTFS_TABLES.has(name.toLowerCase())).length >= GTFS_TABLES_ENOUGH;
}
