/**
 * Reads the system's process table. The system may reuse the id of an ended process, so id and start time together
 * identify one. No other process is signalled.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The process's start time as an opaque text; undefined if it does not exist or is a zombie. */
export function findStartTime(pid: number): string | undefined {
  return process.platform === 'linux' ? readStat(pid) : askPs(pid);
}

const STATE_FIELD = 0;
const START_FIELD = 19;
/** Unit of /proc on every Linux. */
const TICKS_PER_SECOND = 100;

function readStat(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may contain spaces, so count the fields from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[STATE_FIELD] === 'Z' ? undefined : fields[START_FIELD];
  } catch {
    return undefined;
  }
}

function askPs(pid: number): string | undefined {
  const text = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return text === '' ? undefined : text;
}

/** Seconds since the process started; undefined if it does not exist or the system does not tell. */
export function findAgeSeconds(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const startedTicks = readStat(pid);
  if (startedTicks === undefined) return undefined;
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) - Number(startedTicks) / TICKS_PER_SECOND;
}

/** Returns a process's initial variables. Throws if the system does not show them. */
export function readEnvironment(pid: number): Readonly<Record<string, string>> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((pair) => pair.includes('='));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Signals a process that leads its own group, and all processes it started. An ended group is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
