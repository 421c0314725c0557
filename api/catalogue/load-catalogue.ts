/**
 * Loads the first catalogue of a new environment from the file in `CATALOGUE_FILE`. The file must pass the schema and
 * rules of an uploaded one. Caller: the API at start.
 */
import { readFileSync } from 'node:fs';
import { contentOf } from '../../activities/catalogue/catalogue-content.ts';
import { catalogueFaults } from '../../activities/catalogue/catalogue-faults.ts';
import type { CatalogueStore } from '../../activities/catalogue/catalogue-store.ts';
import type { GivenCatalogue } from '../../activities/catalogue/given-catalogue.ts';
import type { AuditTrail } from '../../activities/shared/audit.ts';
import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { loadDocument } from '../shared/openapi-document.ts';
import { type Check, SchemaChecks } from '../shared/schema-check.ts';
import { CATALOGUE_DOCUMENT } from './routes.ts';

const SHOWN = 10;

/**
 * Throws one sentence when the file is unusable, even when a catalogue exists, so that the fault shows early. Of
 * processes that start together several may record it; one loads.
 */
export async function loadCatalogue(store: CatalogueStore, file: string, audit: AuditTrail): Promise<void> {
  const content = readCatalogue(file);
  if ((await store.current()).version > 0) return;
  const actor = { kind: 'PROCESS', id: 'api' } as const;
  const action = { action: 'catalogue.load', actor, resource: { type: 'catalogue' } };
  await audit.record(action, async () => await store.ensureLoaded(content));
}

export function readCatalogue(file: string): CatalogueContent {
  const { root, isChecked } = loadDocument(CATALOGUE_DOCUMENT, 'Service');
  const check = new SchemaChecks('catalogue-file', root, { isChecked }).compile('/components/schemas/CatalogueContent');
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`CATALOGUE_FILE: ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  refuseShape(file, check, content);
  refuse(file, catalogueFaults(content, SHOWN));
  return contentOf(content);
}

function refuseShape(file: string, check: Check, content: unknown): asserts content is GivenCatalogue {
  refuse(file, check(content));
}

function refuse(file: string, faults: readonly ErrorItem[]): void {
  if (faults.length === 0) return;
  const texts = faults.slice(0, SHOWN).map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
  throw new Error(`CATALOGUE_FILE: ${file} is no catalogue: ${texts.join('; ')}`);
}
