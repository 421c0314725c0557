/** The demo catalogue together with trains that are sold, so that generated requests find customers' terms and seats. Used by fuzz-api.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoCatalogue } from '../../dev/demo/catalogue/demo-catalogue.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { trainsCatalogue } from '../support/sold-trains.ts';

type Catalogue = Readonly<Record<string, unknown>>;
interface Named {
  readonly id?: unknown;
}

export const FUZZ_CATALOGUE: Catalogue = joined(asJson(demoCatalogue()), asJson(trainsCatalogue()));

/** The path of a file that holds it. */
export function fuzzCatalogueFile(): string {
  const path = join(temporaryDirectory('fuzz-api'), 'catalogue.json');
  writeFileSync(path, JSON.stringify(FUZZ_CATALOGUE));
  return path;
}

/** What both have under one id is that of the first. */
function joined(one: Catalogue, other: Catalogue): Catalogue {
  const entries = Object.entries(one).map(([name, list]) => {
    if (!Array.isArray(list)) return [name, list];
    const items: readonly Named[] = list;
    const known = new Set(items.map(({ id }) => id));
    const more = ((other[name] ?? []) as readonly Named[]).filter(({ id }) => id === undefined || !known.has(id));
    return [name, [...items, ...more]];
  });
  return { ...other, ...Object.fromEntries(entries) };
}

function asJson(value: unknown): Catalogue {
  return JSON.parse(JSON.stringify(value)) as Catalogue;
}
