/**
 * Chromium for the tests of pages: a Debian package, installed only where the user may. Without it those tests count as
 * skipped, except in continuous integration, where it is required.
 */
import { findOnPath } from './resolve.mjs';
import { run, SetupError } from './run.mjs';

const WAIT_FOR_OTHERS = '-oDPkg::Lock::Timeout=300';

export async function provideChromium(part, progress, env = process.env) {
  const obstacle = await tryInstall(part, progress, env);
  if (obstacle === undefined) return;
  const what = `Chromium cannot be installed because ${obstacle}`;
  const remedy = 'install it yourself or set CHROMIUM_PATH to a browser of that family';
  if (env.CI === 'true')
    throw new SetupError(`${what}: ${remedy}; in continuous integration the tests of pages must run.`);
  progress.note(`${what}: the tests of pages are skipped until you ${remedy}.`);
}

/** Undefined when it is installed afterwards, else why not. */
async function tryInstall(part, progress, env) {
  if (!findOnPath('apt-get', env.PATH)) return 'this machine has no apt-get';
  if (process.getuid?.() !== 0) return 'that needs root';
  const task = progress.begin(part.title);
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, onLine: () => task.update('installing') };
  try {
    await run('apt-get', ['update', '-q', WAIT_FOR_OTHERS], options);
    const packages = [part.package, 'fonts-liberation'];
    await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', WAIT_FOR_OTHERS, ...packages], options);
    task.end();
    return findOnPath(part.command, env.PATH) ? undefined : 'its package brought no `chromium` command';
  } catch (error) {
    task.fail();
    return error.message;
  }
}
