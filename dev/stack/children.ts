/**
 * Starts processes for the local stack and the tests, and writes their output to log files. Each process leads its own
 * group, so Ctrl-C in the terminal reaches only its starter, which stops them in order. A watchdog stops them if their
 * starter is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemVariables } from './passed-on.ts';
import { findStartTime, signalGroup } from './process-table.ts';
import type { WatchdogMessage } from './watchdog.ts';

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Besides what every program needs; see passed-on.ts. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly logFile: string;
}

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Identifies the process together with its id; see process-table.ts. */
  readonly startedAt: string | undefined;
  /** Settles when the process has ended, for any reason. */
  readonly ended: Promise<ChildEnd>;
  readonly isRunning: () => boolean;
  /** SIGTERM, then SIGKILL after `graceMs`. Returns when the process is gone. */
  readonly stop: (graceMs: number) => Promise<ChildEnd>;
  /** The last lines of this run's output, to show after a failure. */
  readonly lastLines: (count?: number) => string;
}

export class Children {
  #watchdog: ChildProcess | undefined;
  readonly #running = new Set<Child>();
  readonly #onChange: (running: readonly Child[]) => void;

  /** `onChange` receives the running processes after each start and end. */
  constructor(onChange: (running: readonly Child[]) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** Starts a process. Throws when its command cannot be run. */
  start(options: ChildOptions): Child {
    const log = openSync(options.logFile, 'a', 0o600);
    const logStart = fstatSync(log).size;
    const started = spawn(options.command, options.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...systemVariables(process.env), ...options.env },
      cwd: options.cwd,
    });
    closeSync(log);
    const ended = new Promise<ChildEnd>((resolve) => {
      started.once('exit', (code, signal) => resolve({ code, signal }));
      started.once('error', () => resolve({ code: null, signal: null }));
    });
    const pid = started.pid;
    if (pid === undefined) throw new Error(`${options.name}: ${options.command} cannot be run`);
    const child = createChild(options, pid, started, { ended, logStart });
    this.#tellWatchdog({ add: pid, startedAt: child.startedAt });
    this.#running.add(child);
    this.#onChange([...this.#running]);
    void ended.then(() => {
      this.#running.delete(child);
      this.#onChange([...this.#running]);
      this.#tellWatchdog({ remove: pid });
    });
    return child;
  }

  /** Makes the watchdog remove the folder after this process has ended. */
  removeAtEnd(folder: string): void {
    this.#tellWatchdog({ folder });
  }

  /** Stops the running processes, the last started first, then ends the watchdog. */
  async stopAll(graceMs: number): Promise<void> {
    for (const child of [...this.#running].reverse()) await child.stop(graceMs);
    const watchdog = this.#watchdog;
    this.#watchdog = undefined;
    if (watchdog === undefined) return;
    const gone = new Promise((resolve) => watchdog.once('exit', resolve));
    watchdog.ref();
    watchdog.stdin?.end();
    await gone;
  }

  #tellWatchdog(message: WatchdogMessage): void {
    this.#watchdog ??= startWatchdog();
    this.#watchdog.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

function startWatchdog(): ChildProcess {
  const entry = fileURLToPath(new URL('watchdog.ts', import.meta.url));
  const watchdog = spawn(process.execPath, [entry], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: systemVariables(process.env),
  });
  // The watchdog must not keep its starter alive, nor end it by dying first.
  watchdog.unref();
  watchdog.stdin.on('error', () => undefined);
  const pipe: unknown = watchdog.stdin;
  if (typeof pipe === 'object' && pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  return watchdog;
}

interface Run {
  readonly ended: Promise<ChildEnd>;
  /** Place in the log file where this run begins, after those of earlier runs. */
  readonly logStart: number;
}

function createChild(options: ChildOptions, pid: number, started: ChildProcess, { ended, logStart }: Run): Child {
  const isRunning = () => started.exitCode === null && started.signalCode === null;
  return {
    name: options.name,
    pid,
    startedAt: findStartTime(pid),
    ended,
    isRunning,
    stop: async (graceMs) => {
      if (isRunning()) signalGroup(pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
      const end = await ended;
      clearTimeout(timer);
      return end;
    },
    lastLines: (count = 15) => readLog(options.logFile, logStart).trimEnd().split('\n').slice(-count).join('\n'),
  };
}

/** Reads the log from `start`, or all of it if it was emptied since (logs.ts). */
function readLog(file: string, start: number): string {
  const bytes = readFileSync(file);
  return bytes.subarray(start <= bytes.length ? start : 0).toString();
}
