/** A document that was checked before the service starts must be the same as one that is parsed and checked at start. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSource } from '../../api/shared/checked-documents.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import type { Json } from '../../api/shared/openapi-reference.ts';
import { SHARED_COMPONENTS } from '../../api/shared/openapi-standards.ts';
import { SchemaChecks } from '../../api/shared/schema-check.ts';
import { CONTRACTS } from '../../dev/contract/areas.ts';
import { checkSchemas, makeDocuments } from '../../dev/contract/documents.ts';
import { temporaryDirectory } from '../support/folders.ts';

/** A copy with other text, though no other content: it names the shared file by its whole address. */
function changedCopy(document: URL): URL {
  const copy = join(temporaryDirectory('document'), 'openapi.yaml');
  const text = readFileSync(document, 'utf8').replaceAll(/\.\.\/shared\/components\.yaml/g, SHARED_COMPONENTS.href);
  writeFileSync(copy, `${text}\n# changed\n`);
  return pathToFileURL(copy);
}

describe('Checked documents', () => {
  before(() => makeDocuments());

  for (const { area, document } of CONTRACTS) {
    it(`of ${area} have what is parsed at start, and no schema that does not compile`, () => {
      const { isChecked, ...checked } = loadDocument(document, 'Service');
      const { isChecked: isCopyChecked, ...parsed } = loadDocument(changedCopy(document), 'Service');
      assert.deepEqual([isChecked, isCopyChecked], [true, false]);
      assert.deepEqual(checked, parsed);
      checkSchemas(area, document);
    });

    it(`of ${area} name headers with the prefix of an operator`, () => {
      const text = JSON.stringify(loadDocument(document, 'Service').root);
      const renamed = text.replaceAll(/\bService-(?=[A-Z])/g, 'Acme-');
      assert.notEqual(renamed, text);
      assert.deepEqual(loadDocument(document, 'Acme').root, JSON.parse(renamed));
    });
  }

  it('count each file by its own text', () => {
    const copy = join(temporaryDirectory('document'), 'components.yaml');
    cpSync(SHARED_COMPONENTS, copy);
    assert.equal(readSource(pathToFileURL(copy)).isChecked, true);
    appendFileSync(copy, '# changed\n');
    assert.equal(readSource(pathToFileURL(copy)).isChecked, false);
  });

  describe('compile a schema', () => {
    const root: Json = {
      components: { schemas: { Age: { type: 'integer', minimum: 0 }, Wrong: { type: 'integer', minimun: 0 } } },
    };

    it('when it is first needed, with the same answers', () => {
      const [now, later] = [false, true].map((isChecked) =>
        new SchemaChecks('x', root, { isChecked }).compile('/components/schemas/Age'),
      );
      for (const value of [7, -1, 'seven', null]) assert.deepEqual(later?.(value), now?.(value));
      assert.equal(later?.(-1).length, 1);
    });

    it('and refuse a misspelt keyword at start where nobody has checked it', () => {
      assert.throws(() => new SchemaChecks('x', root).compile('/components/schemas/Wrong'), /minimun/);
      const unused = new SchemaChecks('x', root, { isChecked: true }).compile('/components/schemas/Wrong');
      assert.throws(() => unused(1), /minimun/);
    });
  });
});
