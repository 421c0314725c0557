/**
 * The query page in the user's cache, made when its sources or packages are others than before. Used by the local stack
 * and by tests. Several may ask at once: one makes it, the others wait.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory, createWorkDirectory, isIntact, storeEntry } from '../setup/cache.mjs';
import { withLock } from '../setup/lock.mjs';
import { projectRoot } from '../setup/resolve.mjs';
import { bundlePage, PAGE_FOLDER } from './bundle.ts';

export async function ensureIde(): Promise<string> {
  const cache = cacheDirectory();
  const entry = join(cache, 'ide', await keyOfSources());
  if (await isIntact(entry)) return entry;
  const wait = () => undefined;
  await withLock(join(cache, 'locks', 'ide.lock'), wait, async () => {
    if (await isIntact(entry)) return;
    const directory = await createWorkDirectory(cache);
    await bundlePage(directory);
    await storeEntry(directory, entry);
  });
  return entry;
}

async function keyOfSources(): Promise<string> {
  const names = (await readdir(PAGE_FOLDER)).sort();
  const files = [
    ...names.map((name) => join(PAGE_FOLDER, name)),
    join(import.meta.dirname, 'bundle.ts'),
    join(projectRoot, 'package-lock.json'),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 24);
}
