/** The demo catalogue as a file, for the variable `CATALOGUE_FILE` of the API. Callers: the local stack, tests. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../setup/resolve.mjs';
import { demoCatalogue } from './demo-catalogue.ts';

const FOLDER = join(projectRoot, 'dist/demo');
const PATH = join(FOLDER, 'catalogue.json');
const INDENT = 1;

let isCurrent = false;

/** Its path. Made when it is missing or older than the code that makes it. */
export function demoCatalogueFile(): string {
  if (!isCurrent) makeFile();
  isCurrent = true;
  return PATH;
}

function makeFile(): void {
  const text = `${JSON.stringify(demoCatalogue(), null, INDENT)}\n`;
  if (existsSync(PATH) && readFileSync(PATH, 'utf8') === text) return;
  mkdirSync(FOLDER, { recursive: true });
  // Whole or not at all: another process may read it meanwhile.
  const unfinished = `${PATH}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, PATH);
}
