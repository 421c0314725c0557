/**
 * Reads the processor time of a process and its descendants from /proc. Caller: the test runner, for its list of the
 * slowest files. Without /proc (macOS) every figure is 0.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second on every platform that Node.js supports. */
const TICKS_PER_SECOND = 100;

export interface ProcessRow {
  readonly pid: number;
  /** The first 15 letters of the program's name. */
  readonly program: string;
  /** Its own time, and that of ended descendants whose parent has collected their status. */
  readonly seconds: number;
}

/** The process and its living descendants. */
export function listTree(pid: number): ProcessRow[] {
  const known = [pid];
  for (const each of known) known.push(...childrenOf(each));
  return known.map(readProcess).filter((row) => row !== undefined);
}

export function sumSeconds(rows: readonly ProcessRow[]): number {
  return rows.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Each thread lists the processes that it has started. A thread or process that has ended has none. */
function childrenOf(pid: number): number[] {
  const threads = orNone(() => readdirSync(`/proc/${pid}/task`));
  return threads.flatMap((thread) =>
    orNone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
  );
}

function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function readProcess(pid: number): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything.
    const nameEnd = text.lastIndexOf(')');
    const fields = text.slice(nameEnd + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const program = text.slice(text.indexOf('(') + 1, nameEnd);
    return { pid, program, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}
