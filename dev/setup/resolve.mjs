/**
 * Says where each native server and the schemas are: on the PATH first, then what the set-up provided. Callers: the
 * set-up, the local stack, the tests. Never provides anything itself.
 */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory, entryDirectory } from './cache.mjs';

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const manifest = JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8'));

export function getPart(name) {
  const part = manifest.parts.find((each) => each.name === name);
  if (part === undefined) throw new Error(`The manifest names no part '${name}'`);
  return part;
}

/** The path of an executable on the PATH, or undefined. */
export function findOnPath(command, path = process.env.PATH ?? '') {
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory || '.', command);
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return candidate;
    } catch {
      // Not here: the next folder of the PATH.
    }
  }
  return undefined;
}

/** The part's executable or folder, or undefined when it is neither given, on the PATH, nor provided. Does not check hashes. */
export function findPart(part, env = process.env) {
  if (part.ownPath && env[part.ownPath]) return env[part.ownPath];
  const onPath = part.command && findOnPath(part.command, env.PATH);
  if (onPath) return onPath;
  if (part.folder && env[part.instead]) return env[part.instead];
  const provided = join(entryDirectory(part, cacheDirectory(env)), part.command ?? part.folder);
  return existsSync(provided) ? provided : undefined;
}

/** As {@link serverPath}, but for a server that is still being provided: where it will be. */
export function expectedServerPath(name) {
  const part = getPart(name);
  return findPart(part) ?? join(entryDirectory(part), part.command);
}

/** The path of a native server. Throws with what to do when it is not there. */
export function serverPath(name) {
  const found = findPart(getPart(name));
  if (found === undefined)
    throw new Error(`${getPart(name).title} is not here: run \`node dev/setup/main.mjs test\` first`);
  return found;
}

/** The folder with one folder of NeTEx schemas per version. */
export function xsdDirectory() {
  return serverPath('netex-xsd');
}
