/**
 * The installation that a command works on: the one that the environment names, else the local stack that runs from
 * this folder. A running local stack keeps its settings in a file, under the names that the configuration of the
 * processes has. Callers: the commands of this folder. One installation never completes another: the settings are all
 * of the environment, or all of the file.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../platform/config.ts';

export const PROJECT_ROOT = resolve(import.meta.dirname, '..');

/** In the folder of a local stack, while it runs. Readable by its owner only: it holds keys. */
export const INSTALLATION_FILE = 'installation.json';

export type Settings<Needed extends string> = Environment & Readonly<Record<Needed, string>>;

/**
 * Undefined when neither the environment nor the file sets all that is needed. `directory` is the folder of a local
 * stack that keeps its state elsewhere than in `.local`.
 */
export function findInstallation<Needed extends string>(
  needed: readonly Needed[],
  directory: string | undefined,
): Settings<Needed> | undefined {
  const candidates = [process.env, readFile(directory ?? join(PROJECT_ROOT, '.local'))];
  return candidates.find((each): each is Settings<Needed> => needed.every((name) => Boolean(each?.[name])));
}

/** Returns the text for a user when {@link findInstallation} finds none. */
export function describeMissing(needed: readonly string[]): string {
  return `Samferd does not run from this folder: npm start, or set ${needed.join(' and ')}`;
}

function readFile(directory: string): Environment | undefined {
  const path = join(directory, INSTALLATION_FILE);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Environment;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read: start the local stack again`, { cause: error });
  }
}
