/**
 * `npm run build:contract`: makes the types of every area's contract, in `api/<area>/contract.gen.ts`. Types cost nothing while the service
 * runs, so it does not need them; type checking does, and `npm run check` makes them first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CONTRACTS, typesOf } from './areas.ts';

for (const { document, types } of CONTRACTS) {
  const text = typesOf(document);
  if (!existsSync(types) || readFileSync(types, 'utf8') !== text) writeFileSync(types, text);
}
