/**
 * Keeps the processes of a local stack running. It starts them, waits until each answers, restarts a crashed one after
 * growing pauses, and stops them in order. It does not restart a process whose first start failed, but reports it.
 * Caller: start.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Child, ChildOptions, Children } from './children.ts';
import { rotateLog } from './logs.ts';
import { isPortFree } from './ports.ts';
import { waitUntilReady } from './wait.ts';

export interface Part {
  readonly title: string;
  readonly process: ChildOptions;
  /** On which it will listen. */
  readonly ports: readonly number[];
  /** Passes once the part answers. */
  readonly check: () => Promise<void>;
  /** Time limit to stop after SIGTERM. Then the part is killed. */
  readonly stopGraceMs: number;
}

export interface SupervisorOptions {
  readonly children: Children;
  readonly report: (line: string) => void;
  readonly readyTimeoutMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/**
 * Allows all processes to start together on a busy machine. A process that ends during its start is reported at once.
 */
export const SUPERVISOR_LIMITS = { readyTimeoutMs: 180_000, firstPauseMs: 500, longestPauseMs: 15_000 } as const;

/** A part that ran at least this long restarts without a longer pause. */
const STEADY_MS = 60_000;
const LOG_CHECK_MS = 60_000;

/** Another program listens on a port that was free when it was chosen. */
export class PortTaken extends Error {}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  /** In the order of their start. */
  readonly #stages: Part[][] = [];
  readonly #running = new Map<Part, Child>();
  readonly #watching: Promise<void>[] = [];
  #logTimer: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /**
   * Starts the parts in parallel. Returns when all are ready. Throws if one fails, or after the stop has begun. Throws
   * PortTaken before it starts any. Later stages stop before earlier ones.
   */
  async start(parts: readonly Part[]): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    await refuseTakenPorts(parts);
    this.#logTimer ??= setInterval(() => this.#rotateLogs(), LOG_CHECK_MS).unref();
    this.#stages.push([...parts]);
    await Promise.all(
      parts.map(async (part) => {
        const startedAt = performance.now();
        const child = this.#launch(part);
        await waitUntilReady(child, part.check, this.#options.readyTimeoutMs, this.#stopping.signal);
        this.#options.report(`Ready: ${part.title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
        this.#watching.push(this.#keepRunning(part, child));
      }),
    );
  }

  /** Stops the latest stage first, and the parts of a stage in parallel. Nothing starts afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#logTimer);
    for (const stage of [...this.#stages].reverse()) {
      await Promise.all(stage.map((part) => this.#running.get(part)?.stop(part.stopGraceMs)));
    }
    await Promise.allSettled(this.#watching);
  }

  /** Kills everything at once, for a user who does not want to wait. */
  async kill(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#running.values()].map((child) => child.stop(0)));
  }

  #launch(part: Part): Child {
    rotateLog(part.process.logFile);
    const child = this.#options.children.start(part.process);
    this.#running.set(part, child);
    return child;
  }

  async #keepRunning(part: Part, first: Child): Promise<void> {
    const { report, firstPauseMs, longestPauseMs } = this.#options;
    let child = first;
    let pauseMs = firstPauseMs;
    for (;;) {
      const startedAt = performance.now();
      const { code, signal } = await child.ended;
      if (this.#stopping.signal.aborted) return;
      if (performance.now() - startedAt > STEADY_MS) pauseMs = firstPauseMs;
      report(
        `${part.title} has ended (${signal ?? `code ${code}`}); starting it again. Its log: ${part.process.logFile}`,
      );
      await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      child = this.#launch(part);
      await this.#announce(part, child);
    }
  }

  /** Ends a restarted part that does not answer, which leads to the next attempt. */
  async #announce(part: Part, child: Child): Promise<void> {
    try {
      await waitUntilReady(child, part.check, this.#options.readyTimeoutMs, this.#stopping.signal);
      this.#options.report(`${part.title} is running again`);
    } catch {
      if (!this.#stopping.signal.aborted) await child.stop(part.stopGraceMs);
    }
  }

  #rotateLogs(): void {
    for (const part of this.#running.keys()) rotateLog(part.process.logFile);
  }
}

/** The check of a part asks its port alone, so another program's answer would count as the part's. */
async function refuseTakenPorts(parts: readonly Part[]): Promise<void> {
  for (const { title, ports } of parts) {
    for (const port of ports) {
      if (!(await isPortFree(port))) throw new PortTaken(`Another program has taken port ${port} of ${title}`);
    }
  }
}
