/** Reading of uploaded zip archives: see package.md. Everything that other folders use of netex/zip. */
export { type Archive, type ArchiveEntry, openArchive } from './archive.ts';
export { ArchiveError, type ArchiveErrorCode, shownName } from './archive-error.ts';
export { type Classification, type ClassifyOptions, classifyArchive } from './classify.ts';
export { planReading, type ReadOptions, readEntry, readPackedEntry, streamEntry } from './entry-data.ts';
export { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from './limits.ts';
export { type PackedEntry, unpackEntry } from './packed-entry.ts';
export { bufferRangeReader, openFileRangeReader, type RangeReader } from './range-reader.ts';
export { statedBytes } from './stated-bytes.ts';
