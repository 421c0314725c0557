/** The documentation pages as people with any ability meet them: axe-core finds nothing on any document. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { documentPage, indexPage } from '../../api/shared/docs-page/page.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { CONTRACTS } from '../../dev/contract/areas.ts';
import { findAccessFaults, startBrowser } from '../support/browser.ts';

const documents = CONTRACTS.map(({ area, document }) => ({
  name: area,
  document: loadDocument(document, 'Service').root,
}));

describe('the documentation pages and axe-core', () => {
  let browser: Browser;

  before(async function () {
    const started = await startBrowser();
    if (!started) return this.skip();
    browser = started;
  });
  after(async () => await browser?.close());

  async function faultsOf(html: string, colorScheme: 'light' | 'dark'): Promise<readonly string[]> {
    const page = await browser.newPage({ colorScheme });
    try {
      await page.setContent(html);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      return await findAccessFaults(page);
    } finally {
      await page.close();
    }
  }

  for (const shown of documents)
    it(`finds nothing on ${shown.name}`, async () => {
      assert.deepEqual(await faultsOf(documentPage(shown, documents, 'nb'), 'light'), []);
    });

  it('finds nothing in the dark, in English and on the list', async () => {
    const [shown = assert.fail()] = documents;
    assert.deepEqual(await faultsOf(documentPage(shown, documents, 'en'), 'dark'), []);
    assert.deepEqual(await faultsOf(indexPage(documents, 'nb'), 'dark'), []);
    assert.deepEqual(await faultsOf(indexPage(documents, 'en'), 'light'), []);
  });

  it('has a language for every text, and a name of its own for every example', () => {
    for (const shown of documents) {
      const page = documentPage(shown, documents, 'nb');
      for (const label of ['Påkrevd', 'påkrevd', 'Verdier', 'Standardverdi', 'liste av'])
        assert.ok(!new RegExp(`lang="en">[^<]*${label}`).test(page), `${label} is marked as English`);
      const names = [...page.matchAll(/role="region" aria-label="([^"]+)"/g)].map(([, name]) => name);
      assert.equal(new Set(names).size, names.length, shown.name);
    }
  });
});
