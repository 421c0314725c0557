/** The style sheet of a page: colours and what all pages have, then its own. Read once, when a process starts. */
import { readFileSync } from 'node:fs';

const base = readFileSync(new URL('./base.css', import.meta.url), 'utf8');

export function pageStyle(own: URL): string {
  return `${base}${readFileSync(own, 'utf8')}`;
}
