/**
 * Entry of a small process that outlives the starter of servers. When the starter ends for any reason, SIGKILL
 * included, its end of the pipe closes. The watchdog then stops the remaining servers, removes the named folders, and
 * ends. Caller: children.ts.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { findStartTime, signalGroup } from './process-table.ts';

export type WatchdogMessage =
  | { readonly add: number; readonly startedAt: string | undefined }
  | { readonly remove: number }
  | { readonly folder: string };

const GRACE_MS = 5_000;
const LOOK_MS = 50;

const watched = new Map<number, string | undefined>();
const folders: string[] = [];

function take(message: WatchdogMessage): void {
  if ('add' in message) watched.set(message.add, message.startedAt);
  else if ('remove' in message) watched.delete(message.remove);
  else folders.push(message.folder);
}

/** Compares start times too, because the system may reuse an id. */
function listLiving(): number[] {
  return [...watched]
    .filter(([pid, startedAt]) => findStartTime(pid) === startedAt && startedAt !== undefined)
    .map(([pid]) => pid);
}

async function stopAll(): Promise<void> {
  for (const pid of listLiving().reverse()) signalGroup(pid, 'SIGTERM');
  const deadline = performance.now() + GRACE_MS;
  while (listLiving().length > 0 && performance.now() < deadline) await delay(LOOK_MS);
  for (const pid of listLiving()) signalGroup(pid, 'SIGKILL');
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for await (const line of createInterface({ input: process.stdin })) take(JSON.parse(line) as WatchdogMessage);
await stopAll();
