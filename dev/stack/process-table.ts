/**
 * Reads the system's process table. The system may give the id of an ended process to another; id and start time together name one process,
 * so that no foreign process is signalled.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When the process started, as an opaque text; undefined when there is none, or only its remains. */
export function findStartTime(pid: number): string | undefined {
  return process.platform === 'linux' ? readStat(pid) : askPs(pid);
}

const STATE_FIELD = 0;
const START_FIELD = 19;

function readStat(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold spaces; the fields after it are counted from its end.
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

/** Signals a process started as leader of its own group, and all that it has started. A group that has ended is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
