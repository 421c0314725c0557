/**
 * Codes of the intake and of the pipeline: an upload that fails there has no findings of files. netex/zip
 * (classification) and the pipeline check; these are the rows of the catalogue.
 */
import type { Severity } from '../finding.ts';
import { defineRule, type Rule } from './rule.ts';

export function intakeRule(code: string, name: string, meaning: string, example: string, mend: string): Rule {
  return defineRule({ code, severity: 'ERROR', name, meaning, scope: 'archive', stage: '0-intake', example, mend });
}

function pipelineRule(code: string, severity: Severity, name: string, meaning: string, mend: string): Rule {
  const example = 'A defect of the service, not of the data';
  return defineRule({ code, severity, name, meaning, scope: 'archive', stage: 'any', example, mend });
}

export const ERROR_VALIDATION_NO_DATA = intakeRule(
  'ERROR_VALIDATION_NO_DATA',
  'No data',
  'Nothing to validate',
  'An archive without any NeTEx file',
  'Put at least one NeTEx file into the archive.',
);

export const DOCTYPE_FORBIDDEN = intakeRule(
  'DOCTYPE_FORBIDDEN',
  'Document type declaration',
  'A file declares a document type or entities, which NeTEx does not use and attackers do',
  '<!DOCTYPE PublicationDelivery [<!ENTITY x "…">]>',
  'Export without a DOCTYPE.',
);

export const SYSTEM_ERROR = pipelineRule(
  'SYSTEM_ERROR',
  'ERROR',
  'System error',
  'A file or the dataset stage could not be validated because of an internal failure',
  'Send the dataset again; if it fails again, tell the service with the correlation id.',
);

export const ERROR_VALIDATION_INCOMPLETE = pipelineRule(
  'ERROR_VALIDATION_INCOMPLETE',
  'ERROR',
  'Validation incomplete',
  'Not all files could be validated',
  'Send the dataset again.',
);

export const intakeRules: readonly Rule[] = [
  intakeRule(
    'ERROR_FILE_UNKNOWN_FILE_EXTENSION',
    'Unknown file extension',
    'Upload name does not end in .zip or .ZIP',
    'timetable.rar',
    'Send a zip archive, named so.',
  ),
  intakeRule(
    'ERROR_FILE_NOT_A_ZIP_FILE',
    'Not a zip file',
    'Upload is not a zip archive',
    'A text file named timetable.zip',
    'Send a zip archive.',
  ),
  intakeRule(
    'ERROR_FILE_DUPLICATE',
    'Duplicate file',
    'The same archive is being imported, or is the latest version already. No finding says so, but the step FILE_TRANSFER, whose state and code are DUPLICATE',
    'The published archive, sent again',
    'Nothing: the data is there. The upload names the import that has it.',
  ),
  intakeRule(
    'ERROR_FILE_UNKNOWN_FILE_TYPE',
    'Unknown file type',
    'The archive is not NeTEx (GTFS and others are named as such)',
    'A GTFS feed, or a zip of spreadsheets',
    'Put NeTEx files into the archive.',
  ),
  intakeRule(
    'ERROR_FILE_ZIP_CONTAINS_SUB_DIRECTORIES',
    'Archive with folders',
    'Archive holds a directory or an entry name with a slash',
    'data/ABC_line.xml',
    'Pack the files without their folder.',
  ),
  intakeRule(
    'ERROR_FILE_INVALID_ZIP_ENTRY_ENCODING',
    'Entry name not UTF-8',
    'An entry name is not UTF-8',
    'A name with Norwegian letters in Latin-1',
    'Use a packer that writes UTF-8 names, or plain letters.',
  ),
  intakeRule(
    'ERROR_FILE_INVALID_XML_ENCODING_ERROR',
    'XML encoding',
    'An XML entry has an invalid encoding',
    'encoding="UTF-8" on a file in Latin-1',
    'Write the file in the encoding it declares, best UTF-8.',
  ),
  intakeRule(
    'ERROR_FILE_INVALID_XML_CONTENT',
    'XML content',
    'An XML entry cannot be parsed',
    'An empty file named line.xml',
    'Leave the file out, or export it anew.',
  ),
  ERROR_VALIDATION_NO_DATA,
  DOCTYPE_FORBIDDEN,
  SYSTEM_ERROR,
  ERROR_VALIDATION_INCOMPLETE,
];
