/**
 * Keeps what a start makes of the sources until the sources change, so that a later start need not make it again. The checksum of the
 * sources lies beside what was made. Caller: prepare.ts.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../setup/resolve.mjs';

export interface MadeFromSources {
  /** A file or folder that is there when everything was made. */
  readonly path: string;
  /** Folders and files of the project that it is made of; more than needed does no harm. Versions of packages always count. */
  readonly sources: readonly string[];
  /** What else it depends on, as options. */
  readonly options?: readonly string[];
}

export async function makeUnlessCurrent(made: MadeFromSources, make: () => Promise<void>): Promise<void> {
  const checksum = await checksumOf(made);
  const file = `${made.path}.sources`;
  if (existsSync(made.path) && existsSync(file) && readFileSync(file, 'utf8') === checksum) return;
  // While it is made, nothing says that it is complete.
  rmSync(file, { force: true });
  await make();
  writeFileSync(file, checksum);
}

async function checksumOf({ sources, options = [] }: MadeFromSources): Promise<string> {
  const hash = createHash('sha256').update([process.version, ...options].join('\n'));
  for (const source of [...sources, 'package-lock.json']) {
    for (const file of await listFiles(source)) hash.update(file).update(await readFile(join(projectRoot, file)));
  }
  return hash.digest('hex');
}

async function listFiles(source: string): Promise<readonly string[]> {
  const entries = await readdir(join(projectRoot, source), { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.length === 0) return [source];
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.md'));
  return files.map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length + 1)).sort();
}
