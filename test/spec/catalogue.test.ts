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
const checkShape = new SchemaChecks('catalogue', root).compile('/components/schemas/CatalogueContent');

describe('The faults of a catalogue, case by case', () => {
  it('are none in the sample', () => {
    assert.deepEqual(checkShape(sampleCatalogue()), []);
    assert.deepEqual(catalogueFaults(sampleCatalogue()), []);
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
