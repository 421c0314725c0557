/**
 * The per-user cache of native servers and schemas: one folder per part and version, whole or absent. Used by the set-up,
 * the local stack and the tests. Never fetches anything; never trusts a folder whose files differ from what was stored.
 *
 * Plain JavaScript, because the set-up runs on the system's Node before any package is installed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const LIST = 'files.json';

export function cacheDirectory(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'samferd');
}

/** The folder of a part: a change of anything pinned leads to another folder, so two clones of different age share the cache. */
export function entryDirectory(part, cache = cacheDirectory()) {
  const { package: source, version, sha256, member, memberSha256, goSum, folder } = part;
  const pinned = JSON.stringify([source, version, sha256, member, memberSha256, goSum, folder]);
  return join(cache, part.name, `${version}-${createHash('sha256').update(pinned).digest('hex').slice(0, 12)}`);
}

export async function sha256OfFile(path) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * True when every stored file is there, unchanged. A file with the stored size and time passes unread, so that the check of
 * half a gigabyte takes milliseconds; any other is hashed.
 */
export async function isIntact(directory) {
  let list;
  try {
    list = JSON.parse(await readFile(join(directory, LIST), 'utf8'));
  } catch {
    return false;
  }
  const checks = Object.entries(list).map(([path, stored]) => fileIsIntact(join(directory, path), stored));
  return checks.length > 0 && (await Promise.all(checks)).every(Boolean);
}

async function fileIsIntact(path, stored) {
  try {
    const found = await stat(path);
    if (found.size !== stored.sizeBytes) return false;
    if (Math.abs(found.mtimeMs - stored.mtimeMs) < 1) return true;
    if ((await sha256OfFile(path)) !== stored.sha256) return false;
    await utimes(path, new Date(), new Date(stored.mtimeMs));
    return true;
  } catch {
    return false;
  }
}

/** Makes a new folder beside the entries to make one in. {@link removeLeftovers} removes those of an interrupted set-up. */
export async function createWorkDirectory(cache = cacheDirectory()) {
  const directory = join(cache, 'tmp', `${process.pid}-${randomUUID()}`);
  await mkdir(directory, { recursive: true });
  return directory;
}

export async function removeLeftovers(cache = cacheDirectory()) {
  const names = await readdir(join(cache, 'tmp')).catch(() => []);
  const dead = names.filter((name) => !isAlive(Number.parseInt(name, 10)));
  await Promise.all(dead.map((name) => rm(join(cache, 'tmp', name), { recursive: true, force: true })));
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Makes `made` the entry by one rename: readers see the whole entry or none. `made` must lie in the cache's file system. */
export async function storeEntry(made, directory) {
  const list = {};
  for (const path of await listFiles(made)) {
    const found = await stat(path);
    const mtimeMs = Math.floor(found.mtimeMs / 1000) * 1000;
    await utimes(path, new Date(), new Date(mtimeMs));
    list[relative(made, path)] = { sha256: await sha256OfFile(path), sizeBytes: found.size, mtimeMs };
  }
  await writeFile(join(made, LIST), JSON.stringify(list));
  await mkdir(dirname(directory), { recursive: true });
  await rm(directory, { recursive: true, force: true });
  try {
    await rename(made, directory);
  } catch (error) {
    // Another set-up stored the same entry in the same moment: both are made from the same pinned input.
    if (!(await isIntact(directory))) throw error;
    await rm(made, { recursive: true, force: true });
  }
}

async function listFiles(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

export async function makeExecutable(path) {
  await chmod(path, 0o755);
}
