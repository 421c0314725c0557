/** Each fault of a catalogue shown by data: test/spec/catalogue/*.yaml change a sample and list all its faults. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { catalogueFaults } from '../../activities/catalogue/catalogue-faults.ts';
import { CATALOGUE_DOCUMENT } from '../../api/catalogue/routes.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { SchemaChecks } from '../../api/shared/schema-check.ts';
import { catalogueCases, catalogueOf, sampleCatalogue } from './support/catalogue-case.ts';

const folder = new URL('./catalogue/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'sample.yaml');
const { root } = loadDocument(CATALOGUE_DOCUMENT, 'Service');
/** The compiler compares all pairs where the type of the items is not said beside their reference. */
function longUniqueLists(schema: unknown): readonly { readonly items: Record<string, unknown> }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { uniqueItems, maxItems, items } = schema as Record<string, unknown>;
  const own = uniqueItems === true && Number(maxItems) > 100 ? [{ items: items as Record<string, unknown> }] : [];
  return [...own, ...Object.values(schema).flatMap(longUniqueLists)];
}

const checkShape = new SchemaChecks('catalogue', root).compile('/components/schemas/CatalogueContent');

describe('The faults of a catalogue, case by case', () => {
  it('are none in the sample', () => {
    assert.deepEqual(checkShape(sampleCatalogue()), []);
    assert.deepEqual(catalogueFaults(sampleCatalogue()), []);
  });

  it('are one for each rule that overlaps, however many others it overlaps', () => {
    const rules = Array.from({ length: 40 }, (_, at) => ({
      ...{ id: `r${at}`, untilBefore: 'PT0S', feeAmount: '0.00' },
      ...{ refundPercent: 50, unusedOnly: true },
    }));
    const { refundRuleSets: sets = [], ...others } = sampleCatalogue();
    const content = { ...others, refundRuleSets: [...sets, { id: 'crowded', rules }] };
    assert.deepEqual(checkShape(content), []);
    const found = catalogueFaults(content).map(({ pointer, code }) => `${pointer} ${code}`);
    assert.deepEqual(
      found,
      rules.slice(1).map((_, at) => `/refundRuleSets/${sets.length}/rules/${at + 1} OVERLAP`),
    );
  });

  it('are found in long lists of ids without a comparison of all pairs', () => {
    const lists = longUniqueLists(root.components);
    assert.ok(lists.length >= 2);
    for (const { items } of lists) assert.match(String(items.type), /^(string|integer)$/, JSON.stringify(items));
  });

  for (const name of files) {
    const cases = catalogueCases.parse(parse(readFileSync(new URL(name, folder), 'utf8')));
    describe(name, () => {
      for (const one of cases) {
        it(one.about, () => {
          const catalogue = catalogueOf(one);
          assert.deepEqual(checkShape(catalogue), []);
          const found = catalogueFaults(catalogue).map(({ pointer, code }) => `${pointer} ${code}`);
          assert.deepEqual(found.sort(), [...(one.faults ?? [])].sort());
        });
      }
    });
  }
});
