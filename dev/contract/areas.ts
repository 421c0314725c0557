/**
 * The documents that types are made from, and the file of each: every `openapi.yaml` and `<name>.openapi.yaml` in a
 * folder `api/<area>`. Used by main.ts and a test.
 */
import { readdirSync } from 'node:fs';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { contractTypes } from './contract-types.ts';

const API = new URL('../../api/', import.meta.url);
const IDS_MODULE = '../../workflows/shared/ids.ts';

const DOCUMENT = /^[\w-]+\/([\w-]+\.)?openapi\.yaml$/;

export const CONTRACTS = readdirSync(API, { recursive: true, encoding: 'utf8' })
  .filter((file) => DOCUMENT.test(file))
  .map((file) => ({
    area: file.replace(/\.?\/?openapi\.yaml$/, ''),
    document: new URL(file, API),
    types: new URL(file.replace('openapi.yaml', 'contract.gen.ts'), API),
  }));

export function typesOf(document: URL): string {
  return contractTypes(loadDocument(document, 'Service'), IDS_MODULE);
}
