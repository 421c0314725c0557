/** The demo catalogue as a file, for the variable `CATALOGUE_FILE` of the API. Callers: the local stack. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../setup/resolve.mjs';
import { demoCatalogue } from './demo-catalogue.ts';

const FOLDER = join(projectRoot, 'dist/demo');
const INDENT = 1;

let made: string | undefined;

/** Its path. The name holds a checksum of the content, so that a file that is there is the right one. */
export function demoCatalogueFile(): string {
  made ??= makeFile();
  return made;
}

function makeFile(): string {
  const text = `${JSON.stringify(demoCatalogue(), null, INDENT)}\n`;
  const path = join(FOLDER, `catalogue-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`);
  if (existsSync(path)) return path;
  mkdirSync(FOLDER, { recursive: true });
  // Whole or not at all: another process may make it meanwhile.
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
  return path;
}
