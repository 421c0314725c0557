/**
 * Rules that a changed sample cannot show, such as those about archives and services, with the test or data that shows
 * each.
 */
const HOSTILE = 'test/support/hostile';
const PIPELINE = 'test/activities/timetable/pipeline-activities.test.ts';

export const shownElsewhere: Readonly<Record<string, string>> = {
  ARCHIVE_CONTRADICTORY: 'test/netex/zip-archive.test.ts',
  ARCHIVE_DAMAGED: 'test/workflows/pipeline.test.ts',
  ARCHIVE_DUPLICATE_NAME: `${HOSTILE}/names.ts`,
  ARCHIVE_ENCRYPTED: `${HOSTILE}/headers.ts`,
  ARCHIVE_FOREIGN_BYTES: `${HOSTILE}/structure.ts`,
  ARCHIVE_METHOD_UNSUPPORTED: `${HOSTILE}/headers.ts`,
  ARCHIVE_NESTED: `${HOSTILE}/sizes.ts`,
  ARCHIVE_OVERLAPPING: `${HOSTILE}/structure.ts`,
  ARCHIVE_RATIO: 'test/netex/zip-archive.test.ts',
  ARCHIVE_SPECIAL_FILE: `${HOSTILE}/headers.ts`,
  ARCHIVE_SPLIT: `${HOSTILE}/structure.ts`,
  ARCHIVE_TOO_LARGE: 'test/netex/zip-archive.test.ts',
  ARCHIVE_TOO_MANY_ENTRIES: 'test/netex/zip-archive.test.ts',
  ARCHIVE_UNSAFE_NAME: `${HOSTILE}/names.ts`,
  DOCTYPE_FORBIDDEN: `${HOSTILE}/content.ts`,
  ERROR_FILE_DUPLICATE: 'test/activities/timetable/receipt-store.test.ts',
  ERROR_FILE_INVALID_XML_CONTENT: `${HOSTILE}/content.ts`,
  ERROR_FILE_INVALID_XML_ENCODING_ERROR: 'test/netex/xml-decode.test.ts',
  ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING: 'test/netex/zip-real-files.test.ts',
  ERROR_FILE_NOT_A_ZIP_FILE: PIPELINE,
  ERROR_FILE_UNKNOWN_FILE_EXTENSION: PIPELINE,
  ERROR_FILE_UNKNOWN_FILE_TYPE: 'test/netex/zip-real-files.test.ts',
  ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES: 'test/netex/zip-real-files.test.ts',
  ERROR_VALIDATION_INCOMPLETE: PIPELINE,
  ERROR_VALIDATION_NO_DATA: 'test/netex/dataset/validate-dataset.test.ts',
  SYSTEM_ERROR: PIPELINE,
};

/** Codes that the interface describes under another name: the receipt has DUPLICATE. */
export const NAMES_IN_INTERFACE: Readonly<Record<string, string>> = { ERROR_FILE_DUPLICATE: 'DUPLICATE' };
