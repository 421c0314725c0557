/**
 * Keeps build results until their sources change, so that later starts need not build again. A checksum of the sources
 * is stored beside the result. Caller: prepare.ts.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../setup/resolve.mjs';

export interface MadeFromSources {
  /** A file or folder that exists when the build is complete. */
  readonly path: string;
  /** Folders and files of the project that the build reads. Too many do no harm. Versions of packages always count. */
  readonly sources: readonly string[];
  /** Other inputs, such as options. */
  readonly options?: readonly string[];
}

export async function makeUnlessCurrent(made: MadeFromSources, make: () => Promise<void>): Promise<void> {
  const checksum = await checksumOf(made);
  const file = `${made.path}.sources`;
  if (existsSync(made.path) && existsSync(file) && readFileSync(file, 'utf8') === checksum) return;
  // Remove the checksum first, so that an interrupted build does not count as complete.
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
