/** The documents that types are made from, and the file of each: every folder `api/<area>` with an `openapi.yaml`. Used by main.ts and a test. */
import { existsSync, readdirSync } from 'node:fs';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { contractTypes } from './contract-types.ts';

const API = new URL('../../api/', import.meta.url);
const IDS_MODULE = '../../workflows/shared/ids.ts';

export const CONTRACTS = readdirSync(API)
  .map((area) => ({
    area,
    document: new URL(`${area}/openapi.yaml`, API),
    types: new URL(`${area}/contract.gen.ts`, API),
  }))
  .filter(({ document }) => existsSync(document));

export function typesOf(document: URL): string {
  return contractTypes(loadDocument(document, 'Service'), IDS_MODULE);
}
