/**
 * Writes the documents as the service reads them at start (api/shared/checked-documents.ts), once all of them are checked.
 * Callers: main.ts, the local stack, the test runner.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHECKED_DOCUMENTS, checkedName, parseSource } from '../../api/shared/checked-documents.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { SHARED_COMPONENTS } from '../../api/shared/openapi-standards.ts';
import { SchemaChecks } from '../../api/shared/schema-check.ts';
import { CONTRACTS } from './areas.ts';

/** Does nothing when all are there. Throws when a schema does not compile. */
export function makeDocuments(): void {
  const files = [SHARED_COMPONENTS, ...CONTRACTS.map(({ document }) => document)];
  const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const names = new Set(sources.map(({ text }) => checkedName(text)));
  if ([...names].every((name) => existsSync(new URL(name, CHECKED_DOCUMENTS)))) return;
  for (const { area, document } of CONTRACTS) checkSchemas(area, document);
  mkdirSync(CHECKED_DOCUMENTS, { recursive: true });
  for (const { file, text } of sources) write(checkedName(text), JSON.stringify(parseSource(text, file)));
  for (const name of readdirSync(CHECKED_DOCUMENTS)) {
    if (!names.has(name)) rmSync(new URL(name, CHECKED_DOCUMENTS), { force: true });
  }
}

/** For an area of the tests, once it is checked. Other processes may remove it again: it is then parsed at each start. */
export function makeDocument(area: string, document: URL): void {
  const text = readFileSync(document, 'utf8');
  if (existsSync(new URL(checkedName(text), CHECKED_DOCUMENTS))) return;
  checkSchemas(area, document);
  mkdirSync(CHECKED_DOCUMENTS, { recursive: true });
  write(checkedName(text), JSON.stringify(parseSource(text, document)));
}

/** Everything that a request can need, as the service compiles it. */
export function checkSchemas(name: string, document: URL): void {
  const { root, operations } = loadDocument(document, 'Service');
  const checks = new SchemaChecks(name, root);
  for (const { parameters, body, streamedBody } of operations) {
    for (const { pointer } of parameters) checks.compile(pointer);
    if (!streamedBody) for (const pointer of body.values()) checks.compile(pointer);
  }
}

/** Whole or not at all: a process may start meanwhile. */
function write(name: string, text: string): void {
  const path = fileURLToPath(new URL(name, CHECKED_DOCUMENTS));
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
