/** The documents that types are made from, and the file of each. Used by main.ts and a test. */
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { contractTypes } from './contract-types.ts';

export const CONTRACTS = ['auth', 'catalogue', 'customers', 'events', 'timetable'].map((area) => ({
  area,
  document: new URL(`../../api/${area}/openapi.yaml`, import.meta.url),
  types: new URL(`../../api/${area}/contract.gen.ts`, import.meta.url),
}));

const IDS_MODULE = '../../workflows/shared/ids.ts';

export function typesOf(document: URL): string {
  return contractTypes(loadDocument(document, 'Service'), IDS_MODULE);
}
