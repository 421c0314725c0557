/**
 * Reads the processor time of a process and its descendants from /proc. Caller: the test runner, for its list of the
 * slowest files. Without /proc (macOS) every figure is 0.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second on every platform that Node.js supports. */
const TICKS_PER_SECOND = 100;

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The first 15 letters of the program's name. */
  readonly program: string;
  /** Its own time, and that of ended descendants whose parent has collected their status. */
  readonly seconds: number;
}

/** The process and its living descendants. */
export function listTree(pid: number): ProcessRow[] {
  const all = readProcesses();
  const tree = all.filter((row) => row.pid === pid);
  for (const { pid: parent } of tree) tree.push(...all.filter((row) => row.parent === parent));
  return tree;
}

export function sumSeconds(rows: readonly ProcessRow[]): number {
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}

function readProcesses(): ProcessRow[] {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.map(readProcess).filter((row) => row !== undefined);
  } catch {
    return [];
  }
}

function readProcess(id: string): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything.
    const nameEnd = text.lastIndexOf(')');
    const fields = text.slice(nameEnd + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return {
      pid: Number(id),
      parent: Number(fields[1]),
      program: text.slice(text.indexOf('(') + 1, nameEnd),
      seconds: ticks / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}
