/** A case of a catalogue's faults, as written in YAML, and the catalogue that it makes of the sample. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { GivenCatalogue } from '../../../activities/catalogue/given-catalogue.ts';

const SAMPLE = new URL('../catalogue/sample.yaml', import.meta.url);

export const catalogueCases = z.array(
  z.strictObject({
    about: z.string(),
    set: z.record(z.string(), z.unknown()).optional(),
    remove: z.array(z.string()).optional(),
    faults: z.array(z.string()).optional(),
  }),
);
export type CatalogueCase = z.infer<typeof catalogueCases>[number];

/** A catalogue of its own for each caller. */
export function sampleCatalogue(): GivenCatalogue {
  return parse(readFileSync(SAMPLE, 'utf8')) as GivenCatalogue;
}

export function catalogueOf({ set = {}, remove = [] }: CatalogueCase): GivenCatalogue {
  const catalogue = sampleCatalogue();
  for (const [pointer, value] of Object.entries(set)) {
    const [holder, name] = placeOf(catalogue, pointer);
    if (!Array.isArray(holder)) holder[name] = value;
    else if (name === '-') holder.push(value);
    else holder[Number(name)] = value;
  }
  for (const pointer of remove) {
    const [holder, name] = placeOf(catalogue, pointer);
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  }
  return catalogue;
}

/** The object or list that holds what the pointer names, and the name there. */
function placeOf(catalogue: object, pointer: string): readonly [Record<string, unknown> | unknown[], string] {
  const names = pointer.split('/').slice(1);
  const name = names.pop() ?? assert.fail(`${pointer} is no pointer`);
  let holder: unknown = catalogue;
  for (const each of names) holder = (holder as Record<string, unknown>)[each];
  assert.ok(typeof holder === 'object' && holder !== null, `${pointer}: the sample has no such place`);
  return [holder as Record<string, unknown>, name];
}
