/**
 * `node dev/setup/main.mjs start|test`: brings a clone to the point where `npm start` or `npm test` can run; with the
 * name of a part it provides that part. Runs on the system's Node with nothing installed. Repeated, it finishes what
 * was interrupted and skips what is there. For `npm start` it does not wait for a part that is compiled. Never starts a
 * server.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from './cache.mjs';
import { withLock } from './lock.mjs';
import { installNpmPackages, npmPackagesAreFresh } from './npm-packages.mjs';
import { listMissingParts, providePart } from './parts.mjs';
import { Progress } from './progress.mjs';
import { manifest, projectRoot } from './resolve.mjs';
import { endWithSignals, SetupError } from './run.mjs';

const OLDEST_NODE = [20, 19];
/** The times of the manifest were measured on one machine; others are slower, and compile beside other work. */
const SLOW_MACHINE = 1.5;

/** True when everything is there that the command waits for; a failure has been reported. */
async function setUp(mode) {
  const startedAt = performance.now();
  expectNode();
  const progress = new Progress();
  const [fresh, missing] = await Promise.all([npmPackagesAreFresh(projectRoot), listMissing(mode)]);
  if (fresh && missing.length === 0) return true;
  const titles = [...(fresh ? [] : ['npm packages']), ...missing.map((part) => part.title)];
  console.log(`Setting up, once: ${titles.join(', ')}`);
  const compiled = missing.filter((part) => part.from === 'go');
  for (const part of compiled) console.log(announce(part, mode));
  // `npm start` goes on with a compiled part while the service starts: dev/stack/minio.ts.
  const isLater = (part) => mode === 'start' && part.from === 'go';
  const awaited = missing.filter((part) => !isLater(part)).map((part) => providePart(part, progress));
  if (!fresh) awaited.push(provideNpmPackages(progress));
  const interruption = new AbortController();
  const begun = awaited.length === 0 ? [] : missing.filter(isLater);
  const later = begun.map((part) => providePart(part, progress, { signal: interruption.signal }));
  // The others go on to their end: what they bring need not be fetched again.
  for (const each of [...awaited, ...later]) each.catch(report);
  const outcomes = await Promise.allSettled(awaited);
  interruption.abort();
  outcomes.push(...(await Promise.allSettled(later)));
  if (outcomes.some(({ status }) => status === 'rejected')) return false;
  const left = (await listMissing(mode)).filter(isLater).map((part) => part.title);
  const rest = left.length === 0 ? '' : `, but for ${left.join(', ')}: compiled while the service starts`;
  console.log(`Set up in ${Math.round((performance.now() - startedAt) / 1000)} s${rest}.`);
  return true;
}

/** The parts that a mode needs, or the one part that is named in its place. */
async function listMissing(mode) {
  const named = manifest.parts.filter((part) => part.name === mode);
  if (named.length === 0) return await listMissingParts(manifest.parts, mode);
  return await listMissingParts(
    named.map((part) => ({ ...part, for: [mode] })),
    mode,
  );
}

function announce({ title, processorSeconds }, mode) {
  const cores = availableParallelism();
  const minutes = Math.max(1, Math.round((processorSeconds * SLOW_MACHINE) / cores / 60));
  const meanwhile = mode === 'start' ? ' Everything else starts meanwhile.' : '';
  return (
    `  ${title} has no package for this machine and is compiled from its source, once: ` +
    `about ${minutes} minute${minutes === 1 ? '' : 's'} on ${cores} idle core${cores === 1 ? '' : 's'}.${meanwhile}`
  );
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
const names = ['start', 'test', ...manifest.parts.map((part) => part.name)];
if (!names.includes(mode)) {
  console.error(`Usage: node dev/setup/main.mjs ${names.join('|')}`);
  process.exit(2);
}
endWithSignals();
try {
  if (!(await setUp(mode))) process.exit(1);
} catch (error) {
  report(error);
  process.exit(1);
}
