/**
 * Lets one set-up at a time work on the cache or on the clone's packages; the others wait, then find the work done. A
 * lock whose holder has died is taken over. If two processes take over the same lock in the same instant, both work.
 * That costs time only, since results are put in place by rename.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './cache.mjs';

const RETRY_MS = 250;

/**
 * Runs `work` under the lock file `path`. `onWait(pid)` is called once when another process holds it. Without running
 * it returns undefined once `signal` aborts.
 */
export async function withLock(path, onWait, work, signal) {
  await mkdir(dirname(path), { recursive: true });
  let announced = false;
  while (!(await tryTake(path))) {
    if (signal?.aborted) return undefined;
    const holder = await readHolder(path);
    if (holder !== undefined && !isAlive(holder)) {
      await breakLock(path, holder);
      continue;
    }
    if (!announced && holder !== undefined) onWait(holder);
    announced = true;
    await delay(RETRY_MS);
  }
  // Also when a signal ends this process: its id may soon be another's, which would seem to hold the lock.
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

async function tryTake(path) {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The holder's process id; undefined while the file is gone or not yet written. */
async function readHolder(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** Moves the dead lock aside before removing it, so that a lock taken meanwhile is not removed instead. */
async function breakLock(path, deadHolder) {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  const holder = await readHolder(aside);
  if (holder !== undefined && holder !== deadHolder) {
    await writeFile(path, String(holder), { flag: 'wx' }).catch(() => undefined);
  }
  await rm(aside, { force: true });
}
