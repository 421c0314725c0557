/**
 * Provides the parts of the manifest that a command needs and this machine lacks. Precedence: the user's own address,
 * the PATH, the cache, the package registry. Called by main.mjs and its tests.
 */
import { join } from 'node:path';
import {
  cacheDirectory,
  createWorkDirectory,
  entryDirectory,
  isIntact,
  removeLeftovers,
  storeEntry,
} from './cache.mjs';
import { provideChromium } from './chromium.mjs';
import { withLock } from './lock.mjs';
import { providers } from './providers.mjs';
import { findOnPath, manifest } from './resolve.mjs';
import { run, SetupError } from './run.mjs';

/** The parts that `mode` needs and that are neither given, nor on the PATH, nor whole in the cache. */
export async function listMissingParts(parts, mode, env = process.env) {
  const wanted = parts.filter((part) => part.for.includes(mode) && !isGiven(part, mode, env));
  const intact = await Promise.all(
    wanted.map((part) => part.from !== 'debian' && isIntact(entryDirectory(part, cacheDirectory(env)))),
  );
  return wanted.filter((_, index) => !intact[index]);
}

/** Tests run servers of their own whatever addresses are set; a path to something that is only read serves both. */
function isGiven(part, mode, env) {
  if (part.ownPath && env[part.ownPath]) return true;
  if (part.instead && env[part.instead] && (mode === 'start' || part.folder)) return true;
  return Boolean(part.command && findOnPath(part.command, env.PATH));
}

/**
 * Provides one part, unless another set-up has done so meanwhile. Throws {@link SetupError} with one sentence when it
 * cannot. An aborted `signal` interrupts the work; the next try of a compiled part goes on where this one was.
 */
export async function providePart(part, progress, { env = process.env, from = providers, signal } = {}) {
  if (part.from === 'debian') return await provideChromium(part, progress, env);
  const cache = cacheDirectory(env);
  const entry = entryDirectory(part, cache);
  const wait = (pid) => progress.note(`${part.title}: another set-up (process ${pid}) is at it; waiting`);
  const work = async () => {
    if (await isIntact(entry)) return;
    await removeLeftovers(cache);
    await make(part, entry, { cache, progress, from, signal });
  };
  const provided = withLock(join(cache, 'locks', `${part.name}.lock`), wait, work, signal);
  return await (part.optional && env.CI !== 'true' ? provided.catch((error) => skip(progress, error)) : provided);
}

function skip(progress, error) {
  if (!(error instanceof SetupError)) throw error;
  progress.note(`${error.message} Until then its tests are skipped.`);
}

async function make(part, entry, { cache, progress, from, signal }) {
  const task = progress.begin(part.title);
  try {
    if (['wheel', 'pip'].includes(part.from) && manifest.platform !== thisPlatform()) {
      throw new Error(`its package is for ${manifest.platform} and this machine is ${thisPlatform()}`);
    }
    const directory = await createWorkDirectory(cache);
    await from[part.from](part, directory, (line) => task.update(line), signal);
    if (part.smoke) await run(join(directory, part.command), part.smoke);
    task.update('storing');
    await storeEntry(directory, entry);
    task.end();
  } catch (error) {
    if (signal?.aborted) return task.interrupt();
    task.fail();
    throw new SetupError(explain(part, error), { cause: error });
  }
}

function thisPlatform() {
  return `${process.platform}-${process.arch}`;
}

const tools = {
  wheel: 'Python 3 with pip',
  pip: 'Python 3.11 or newer with pip',
  go: 'Go 1.24 or newer',
  maven: 'a JDK 17 or newer with Maven',
  jars: 'a JDK 17 or newer with Maven',
};

/** One sentence: what, why, and what the user can do. */
export function explain(part, error) {
  const ways = [`check that ${tools[part.from]} is installed and reaches its package registry`];
  if (part.command) ways.push(`put \`${part.command}\` on the PATH`);
  if (part.instead)
    ways.push(part.folder ? `set ${part.instead} to its folder` : `set ${part.instead} to use one of your own`);
  const last = ways.length > 1 ? `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}` : ways[0];
  return `${part.title} cannot be provided because ${error.message}: ${last}, then run the command again.`;
}
