/** Chromium for the tests of pages, and axe-core, which finds what keeps people from using a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { serverPath } from './stack.ts';

/** Undefined on a machine without Chromium: tests of pages skip then, which CI does not allow. */
export async function startBrowser(): Promise<Browser | undefined> {
  let executablePath: string;
  try {
    executablePath = serverPath('chromium');
  } catch {
    return undefined;
  }
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** The rules of WCAG 2.2, levels A and AA, and what axe-core calls best practice. */
const RUN = `axe.run(document, {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'],
}).then(({ violations }) => violations.map(({ id, help, nodes }) =>
  id + ': ' + help + ' (' + nodes.length + ', first ' + nodes[0].html.slice(0, 200) + ' ' + nodes[0].failureSummary + ')'))`;

let source: string | undefined;

/** One sentence for each rule that the page breaks as it is now. The page's own policy does not bind the debugger, which runs this. */
export async function findAccessFaults(page: Page): Promise<readonly string[]> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(`${source}; undefined`);
  return await page.evaluate<readonly string[]>(RUN);
}
