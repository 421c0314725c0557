/** How much memory a process uses, and used at most. Linux only. */
import { readFileSync } from 'node:fs';

/** Undefined when the process is gone. */
export function peakMegabytes(pid: number): number | undefined {
  return statusMegabytes(pid, /VmHWM:\s+(\d+) kB/);
}

/** Now, shared memory included. Undefined when the process is gone. */
export function residentMegabytes(pid: number): number | undefined {
  return statusMegabytes(pid, /VmRSS:\s+(\d+) kB/);
}

function statusMegabytes(pid: number, field: RegExp): number | undefined {
  try {
    const line = field.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Math.round((Number(line[1]) * 1024) / 1e6) : undefined;
  } catch {
    return undefined;
  }
}
