/** How much memory a process used at most. Linux only. */
import { readFileSync } from 'node:fs';

/** Undefined when the process is gone. */
export function peakMegabytes(pid: number): number | undefined {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Math.round((Number(line[1]) * 1024) / 1e6) : undefined;
  } catch {
    return undefined;
  }
}
