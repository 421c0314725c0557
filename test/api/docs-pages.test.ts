/** The documentation pages: for every document, in a real browser, without scripts and with nothing of another host. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { createApp } from '../../api/shared/app.ts';
import { documentPage, indexPage } from '../../api/shared/docs-page/page.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { type RunningServer, serve } from '../../api/shared/serve.ts';
import { CONTRACTS } from '../../dev/contract/areas.ts';
import { startBrowser } from '../support/browser.ts';
import { parcelsArea, readPlainToken, silentLog } from './support/parcels.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const documents = CONTRACTS.map(({ area, document }) => ({
  name: area,
  document: loadDocument(document, 'Service').root,
}));

/** Values of an attribute, as they are written. */
const all = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, value = '']) => value);

describe('the documentation pages', () => {
  let server: RunningServer;

  before(async () => {
    const app = createApp({ areas: [parcelsArea()], log: silentLog, verifyToken: readPlainToken });
    server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 5_000, drainMs: 0 });
  });
  after(async () => await server.close());

  const get = async (path: string, headers: Record<string, string> = HTML) => {
    const response = await fetch(`${server.url}${path}`, { headers });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
      response,
    };
  };

  it('are what a browser gets; other callers get JSON, or YAML', async () => {
    assert.match((await get('/api-docs/parcels')).type, /^text\/html/);
    assert.match((await get('/api-docs')).type, /^text\/html/);
    assert.match((await get('/api-docs/parcels', { accept: '*/*' })).type, /^application\/json/);
    assert.match((await get('/api-docs/parcels', { accept: 'application/yaml' })).type, /^application\/yaml/);
    assert.match((await get('/api-docs/parcels?format=json')).type, /^application\/json/);
    assert.match((await get('/api-docs/parcels?format=yaml')).type, /^application\/yaml/);
    const served = JSON.parse((await get('/api-docs/parcels', { accept: '*/*' })).text);
    assert.deepEqual(served.servers, [{ url: '/' }]);
    const { documents: listed } = JSON.parse((await get('/api-docs', { accept: 'application/json' })).text);
    assert.deepEqual(listed, [{ name: 'parcels', title: listed[0].title, path: '/api-docs/parcels' }]);
    assert.equal((await get('/api-docs', { accept: 'image/png' })).status, 406);
    const unknown = await get('/api-docs/parcel', { accept: 'application/json' });
    assert.equal(unknown.status, 404);
    assert.match(JSON.parse(unknown.text).detail, /GET \/api-docs lists them/);
    const vary = (await get('/api-docs')).response.headers.get('vary') ?? '';
    assert.match(vary, /Accept, Accept-Language/);
  });

  it('are Norwegian or English, as the address or the browser says', async () => {
    for (const [path, accepted, language] of [
      ['/api-docs/parcels', 'nn-NO,en;q=0.5', 'nb'],
      ['/api-docs/parcels', 'de', 'en'],
      ['/api-docs/parcels?lang=nb', 'en', 'nb'],
      ['/api-docs?lang=en', 'nb', 'en'],
      ['/api-docs?lang="><script>', 'nb', 'nb'],
    ] as const) {
      const { text } = await get(path, { ...HTML, 'accept-language': accepted });
      assert.match(text, new RegExp(`<html lang="${language}">`), path);
      assert.ok(!text.includes('<script'));
    }
  });

  for (const shown of documents) {
    it(`show all of ${shown.name}, and each link within leads somewhere`, () => {
      for (const language of ['en', 'nb'] as const) {
        const page = documentPage(shown, documents, language);
        const ids = all(page, / id="([^"]+)"/g);
        assert.equal(new Set(ids).size, ids.length);
        const targets = all(page, / href="#([^"]+)"/g);
        assert.deepEqual(
          targets.filter((target) => !ids.includes(target)),
          [],
        );
        const names = JSON.stringify(shown.document).match(/"operationId":"\w+"/g) ?? [];
        assert.deepEqual(
          names.map((name) => `op-${name.slice(15, -1)}`).filter((id) => !ids.includes(id)),
          [],
        );
        assert.ok(!/undefined|\[object|https?:\/\/[^"]*"[^>]*\ssrc/.test(page.replaceAll(/<pre.*?<\/pre>/gs, '')));
      }
    });
  }

  it('escape what a document holds', () => {
    const evil = {
      info: { title: '<img src=x onerror=alert(1)>', version: '"', description: '`</code><b>`' },
      paths: {},
    };
    const page = documentPage({ name: 'evil', document: evil }, [{ name: 'evil', document: evil }], 'en');
    assert.ok(!page.includes('<img') && !page.includes('<b>'));
    assert.ok(!indexPage([{ name: 'evil', document: evil }], 'nb').includes('<img'));
  });

  describe('in a browser', () => {
    let browser: Browser;
    before(async function () {
      const started = await startBrowser();
      if (!started) return this.skip();
      browser = started;
    });
    after(async () => await browser?.close());

    /** The real policy of the server, with the page of any document. */
    async function open(width: number, path: string, body?: string): Promise<{ page: Page; complaints: string[] }> {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('request', (request) => {
        if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(request.url());
      });
      if (body !== undefined)
        await page.route(`${server.url}${path}`, async (route) => {
          const response = await route.fetch({ headers: HTML });
          await route.fulfill({ response, body });
        });
      await page.goto(`${server.url}${path}`);
      return { page, complaints };
    }

    it('fit 360 pixels and a desk, and ask no other host, for every document', async () => {
      for (const shown of documents) {
        const { page, complaints } = await open(1_280, '/api-docs/parcels', documentPage(shown, documents, 'nb'));
        await page.locator('details').evaluateAll((all) => {
          for (const each of all) (each as unknown as { open: boolean }).open = true;
        });
        for (const width of [1_280, 360]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(wide <= width, `${shown.name} is ${wide} wide on ${width}`);
          const list = "document.querySelector('header nav ul')";
          assert.ok(await page.evaluate<boolean>(`${list}.scrollWidth <= ${list}.clientWidth`), 'documents are hidden');
        }
        assert.deepEqual(complaints, [], shown.name);
        await page.close();
      }
    });

    it('are styled by their own policy, in light and dark', async () => {
      const { page } = await open(1_280, '/api-docs/parcels');
      const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.notEqual(await background(), light);
      assert.equal(light, 'rgb(246, 247, 249)');
      await page.close();
    });

    it('can be used with the keyboard alone', async () => {
      const { page } = await open(1_280, '/api-docs/parcels');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.id'), 'content');
      const closed = page.locator('details:not([open]) > summary').first();
      await closed.focus();
      const before = await page.locator('details[open]').count();
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('details[open]').count(), before + 1);
      await page.close();
    });
  });
});
