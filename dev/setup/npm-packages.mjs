/**
 * Installs the locked npm packages when they are missing or stale. Packages that a developer's own `npm install` has
 * brought to what the lock says count as fresh: they are not installed again.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { run, SetupError } from './run.mjs';

const STAMP = '.samferd-setup';

export async function npmPackagesAreFresh(root) {
  if (!existsSync(join(root, 'node_modules', '.bin', 'node'))) return false;
  const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
  const stamp = stampOf(lock);
  const stampPath = join(root, 'node_modules', STAMP);
  if ((await readFile(stampPath, 'utf8').catch(() => '')) === stamp) return true;
  if (!(await installedAsLocked(root, lock))) return false;
  await writeFile(stampPath, stamp);
  return true;
}

/** The same lock on another processor or system needs other binaries. */
function stampOf(lock) {
  return createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
}

/** Compares with npm's own record of what it has put into node_modules; packages for other systems may be absent. */
async function installedAsLocked(root, lock) {
  const record = await readFile(join(root, 'node_modules', '.package-lock.json'), 'utf8').catch(() => undefined);
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? wanted.optional === true : found.version === wanted.version;
  });
}

export async function installNpmPackages(root, progress) {
  const task = progress.begin('npm packages');
  task.update('installing');
  const env = { ...process.env, PATH: pathWithout(join(root, 'node_modules', '.bin')) };
  try {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, env });
    const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
    await writeFile(join(root, 'node_modules', STAMP), stampOf(lock));
    task.end();
  } catch (error) {
    task.fail();
    throw new SetupError(
      `The npm packages cannot be installed because ${error.message}: check that npm reaches its registry, then run the command again.`,
      { cause: error },
    );
  }
}

/** npm must not run on the very Node that it is about to replace. */
function pathWithout(directory) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => each !== directory)
    .join(delimiter);
}
