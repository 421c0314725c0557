/** Findings of the schema stage: XML_SCHEMA_ERROR, XML_SCHEMA_WARNING. netex/schema does the checking. */
import { defineRule } from './rule.ts';

export const XML_SCHEMA_ERROR = defineRule({
  code: 'XML_SCHEMA_ERROR',
  severity: 'CRITICAL',
  name: 'NeTEx XML Schema validation error',
  meaning:
    'The file is not well formed or breaks the NeTEx XSD of its declared version (structure, data type, or a ' +
    'unique/key/keyref constraint); ends the checks of that file',
  stage: '1-schema',
  example: '<TransportMode>horse</TransportMode>',
  mend: 'Correct the element as the message says; other findings of the file show when its schema errors are gone.',
});

export const XML_SCHEMA_WARNING = defineRule({
  code: 'XML_SCHEMA_WARNING',
  severity: 'WARNING',
  name: 'NeTEx XML Schema validation warning',
  meaning: 'Warning raised by the schema processor: the file can be read, but has something odd',
  stage: '1-schema',
  example: '<?xml version="1.1" encoding="UTF-8"?>',
  mend: 'Read the message; the dataset is not refused for it.',
});
