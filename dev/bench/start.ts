/**
 * `npm run bench:start [-- ROOT]`: how long `npm start` takes and what it weighs. Starts the stack of a clone twice
 * with a state folder of its own; the second start finds data, as a developer's does. Prints the seconds until ready
 * and the processor time that they took. After a minute without work it prints the memory of every process (PSS:
 * processes divide the pages that they share).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const IDLE_MS = 60_000;
const TICKS_PER_SECOND = 100;
const READY = 'Ctrl-C stops everything';

interface ProcessFacts {
  readonly parent: number;
  readonly command: string;
}

interface RunningStack {
  readonly pid: number;
  readonly seconds: number;
  readonly stop: () => Promise<void>;
}

async function startStack(root: string, state: string): Promise<RunningStack> {
  const startedAt = performance.now();
  const stack = spawn(process.execPath, [join(root, 'dev/start.ts'), '--local', state], { cwd: root });
  stack.stderr.pipe(process.stderr);
  const ended = new Promise((settle) => stack.once('exit', settle));
  await new Promise<void>((settle, fail) => {
    let output = '';
    stack.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes(READY)) settle();
    });
    void ended.then(() => fail(new Error(`npm start has ended:\n${output}`)));
  });
  const stop = async (): Promise<void> => {
    stack.kill('SIGTERM');
    await ended;
  };
  return { pid: stack.pid ?? 0, seconds: (performance.now() - startedAt) / 1_000, stop };
}

function readProcesses(): ReadonlyMap<number, ProcessFacts> {
  const processes = new Map<number, ProcessFacts>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1]);
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      processes.set(Number(entry), { parent, command });
    } catch {
      // It has ended meanwhile.
    }
  }
  return processes;
}

function listTree(root: number, processes: ReadonlyMap<number, ProcessFacts>): readonly number[] {
  const children = [...processes].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return [root, ...children.flatMap((pid) => listTree(pid, processes))];
}

function pssMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1_024;
}

/** Processor time of the process and of its children that have ended. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

function describeStart({ pid, seconds }: RunningStack): string {
  const processor = listTree(pid, readProcesses()).reduce((sum, each) => sum + processorSeconds(each), 0);
  return `${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time`;
}

/** The script or the program, without flags and folders. */
function nameOf(command: string, root: string): string {
  const words = command.replaceAll(`${root}/`, '').split(' ');
  const script = words.find((word) => /\.m?[jt]s$/.test(word));
  return `${script ?? words[0]?.split('/').at(-1)}${script?.endsWith('main.ts') ? ` ${words.at(-1)}` : ''}`;
}

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));
const state = mkdtempSync(join(tmpdir(), 'samferd-bench-start-'));
try {
  const first = await startStack(root, state);
  console.log(`first start, with the demo's import: ${describeStart(first)}`);
  await first.stop();
  const second = await startStack(root, state);
  console.log(`second start: ${describeStart(second)}`);
  await delay(IDLE_MS);
  const processes = readProcesses();
  const weights = listTree(second.pid, processes).map((pid) => ({
    name: nameOf(processes.get(pid)?.command ?? '', root),
    megabytes: pssMegabytes(pid),
  }));
  for (const { name, megabytes } of weights) console.log(`${megabytes.toFixed(0).padStart(6)} MB  ${name}`);
  const total = weights.reduce((sum, { megabytes }) => sum + megabytes, 0);
  console.log(`${total.toFixed(0).padStart(6)} MB  in all, ${weights.length} processes`);
  await second.stop();
} finally {
  rmSync(state, { recursive: true, force: true, maxRetries: 5 });
}
