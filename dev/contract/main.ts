/**
 * `npm run build:contract`: makes the types of every area's contract, in `api/<area>/contract.gen.ts`, and the checked
 * documents, in `dist/documents`. The service needs neither: type checking needs the types, and starts are cheaper with
 * the documents.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CONTRACTS, typesOf } from './areas.ts';
import { makeDocuments } from './documents.ts';

for (const { document, types } of CONTRACTS) {
  const text = typesOf(document);
  if (!existsSync(types) || readFileSync(types, 'utf8') !== text) writeFileSync(types, text);
}
makeDocuments();
