/**
 * Cleans up after a killed stack: no process of it may run when the next one starts on the same folders and ports. It
 * signals a process only if id and start time match the stack's record.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from './children.ts';
import { isSameProcess, type LocalState, type ProcessIdentity } from './local-state.ts';
import { signalGroup } from './process-table.ts';

const FILE = 'processes.json';
const GRACE_MS = 10_000;
const LOOK_MS = 50;

export function recordProcesses(state: LocalState, running: readonly Child[]): void {
  if (running.length === 0) state.remove(FILE);
  else
    state.write(
      FILE,
      running.map(({ name, pid, startedAt }) => ({ name, pid, startedAt })),
    );
}

/** Ends the remaining processes of a killed stack, and returns their names. */
export async function endLeftovers(state: LocalState, graceMs = GRACE_MS): Promise<readonly string[]> {
  const recorded = (state.read(FILE) ?? []) as readonly ProcessIdentity[];
  const left = recorded.filter(isSameProcess);
  for (const { pid } of left) signalGroup(pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (left.some(isSameProcess) && performance.now() < deadline) await delay(LOOK_MS);
  for (const each of left.filter(isSameProcess)) signalGroup(each.pid, 'SIGKILL');
  while (left.some(isSameProcess)) await delay(LOOK_MS);
  state.remove(FILE);
  return left.map(({ name }) => name);
}
