/**
 * Reads how much processor time a process has taken, from /proc. Unlike response times it hardly depends on other work
 * of the machine.
 */
import { readFileSync } from 'node:fs';

const USER_FIELD = 11;
const SYSTEM_FIELD = 12;
/** Of /proc on every Linux. */
const TICKS_PER_SECOND = 100;

function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold spaces; the fields after it are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD])) / TICKS_PER_SECOND;
}

/** Starts to measure; the answer tells the seconds of each process since then. */
export function measureProcessors(pids: Readonly<Record<string, number>>): () => Readonly<Record<string, number>> {
  const read = () => Object.entries(pids).map(([name, pid]) => [name, processorSeconds(pid)] as const);
  const before = new Map(read());
  return () => Object.fromEntries(read().map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]));
}
