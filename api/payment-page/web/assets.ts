/** The style, the script and the icon of the pages. Their names change with their content, so browsers keep them for ever. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pageStyle } from '../../shared/pages/page-style.ts';

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

export const ASSETS = {
  style: asset('css', 'text/css; charset=utf-8', pageStyle(new URL('./style.css', import.meta.url))),
  script: asset('js', 'text/javascript; charset=utf-8', read('./watch.js')),
  icon: asset('svg', 'image/svg+xml', read('./icon.svg')),
} as const;

const BY_PATH = new Map(Object.values(ASSETS).map((each) => [each.path, each]));

export function findAsset(path: string): Asset | undefined {
  return BY_PATH.get(path);
}

function asset(ending: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { path: `/assets/${hash}.${ending}`, type, body };
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
