/**
 * `node dev/setup/main.mjs start|test`: brings a clone to the point where `npm start` or `npm test` can run. Runs on the plain system
 * Node with nothing installed; done again it finishes what was interrupted and skips what is there. Never starts a server.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { cacheDirectory } from './cache.mjs';
import { withLock } from './lock.mjs';
import { installNpmPackages, npmPackagesAreFresh } from './npm-packages.mjs';
import { listMissingParts, providePart } from './parts.mjs';
import { Progress } from './progress.mjs';
import { manifest, projectRoot } from './resolve.mjs';
import { endWithSignals, SetupError } from './run.mjs';

const OLDEST_NODE = [20, 19];

/** True when everything is there; what is not has been reported. */
async function setUp(mode) {
  const startedAt = performance.now();
  expectNode();
  const progress = new Progress();
  const [fresh, missing] = await Promise.all([
    npmPackagesAreFresh(projectRoot),
    listMissingParts(manifest.parts, mode),
  ]);
  if (fresh && missing.length === 0) return true;
  const titles = [...(fresh ? [] : ['npm packages']), ...missing.map((part) => part.title)];
  console.log(`Setting up, once: ${titles.join(', ')}`);
  const work = missing.map((part) => providePart(part, progress));
  if (!fresh) work.push(provideNpmPackages(progress));
  // The others go on to their end: what they bring need not be fetched again.
  for (const each of work) each.catch(report);
  const outcomes = await Promise.allSettled(work);
  if (outcomes.some(({ status }) => status === 'rejected')) return false;
  console.log(`Set up in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  return true;
}

function expectNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new SetupError(
    `Node.js ${process.versions.node} is too old for the set-up: install ${OLDEST_NODE.join('.')} or newer, then run the command again.`,
  );
}

async function provideNpmPackages(progress) {
  const clone = createHash('sha256').update(projectRoot).digest('hex').slice(0, 16);
  const wait = (pid) => progress.note(`npm packages: another set-up (process ${pid}) is at it; waiting`);
  await withLock(join(cacheDirectory(), 'locks', `npm-${clone}.lock`), wait, async () => {
    if (!(await npmPackagesAreFresh(projectRoot))) await installNpmPackages(projectRoot, progress);
  });
}

function report(error) {
  if (!(error instanceof SetupError)) {
    console.error(error);
    return;
  }
  const tail = error.cause?.tail?.trim().split('\n').slice(-8) ?? [];
  for (const line of tail) console.error(`    ${line}`);
  console.error(`\n${error.message}\n`);
}

const mode = process.argv[2];
if (mode !== 'start' && mode !== 'test') {
  console.error('Usage: node dev/setup/main.mjs start|test');
  process.exit(2);
}
endWithSignals();
try {
  if (!(await setUp(mode))) process.exit(1);
} catch (error) {
  report(error);
  process.exit(1);
}
