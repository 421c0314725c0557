/**
 * Keeps the processes of a local stack running: starts them, waits until each answers, starts a crashed one again with growing pauses, and
 * stops them in order. Called by start.ts. Never restarts what did not come up the first time: that is reported to the user instead.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Child, ChildOptions, Children } from './children.ts';
import { rotateLog } from './logs.ts';
import { waitUntilReady } from './wait.ts';

export interface Part {
  readonly title: string;
  readonly process: ChildOptions;
  /** Passes once the part answers. */
  readonly check: () => Promise<void>;
  /** How long it may take to stop after SIGTERM before it is killed. */
  readonly stopGraceMs: number;
}

export interface SupervisorOptions {
  readonly children: Children;
  readonly report: (line: string) => void;
  readonly readyTimeoutMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Long enough for all processes to start together on a busy machine. A process that ends while it starts is reported at once. */
export const SUPERVISOR_LIMITS = { readyTimeoutMs: 180_000, firstPauseMs: 500, longestPauseMs: 15_000 } as const;

/** A part that ran this long before it ended is started again without a longer pause. */
const STEADY_MS = 60_000;
const LOG_CHECK_MS = 60_000;

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

  /** Starts the parts side by side. Returns when all are ready; throws when one is not, or once stopping has begun. Later stages are stopped before earlier ones. */
  async start(parts: readonly Part[]): Promise<void> {
    this.#stopping.signal.throwIfAborted();
    this.#logTimer ??= setInterval(() => this.#rotateLogs(), LOG_CHECK_MS).unref();
    this.#stages.push([...parts]);
    await Promise.all(
      parts.map(async (part) => {
        const startedAt = performance.now();
        const child = this.#launch(part);
        await waitUntilReady(child, part.check, this.#options.readyTimeoutMs, this.#stopping.signal);
        this.#options.report(`${part.title} is ready (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
        this.#watching.push(this.#keepRunning(part, child));
      }),
    );
  }

  /** Stops the latest stage first, the parts of a stage side by side; nothing is started again from here on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#logTimer);
    for (const stage of [...this.#stages].reverse()) {
      await Promise.all(stage.map((part) => this.#running.get(part)?.stop(part.stopGraceMs)));
    }
    await Promise.allSettled(this.#watching);
  }

  /** Ends everything at once, for a user who does not want to wait. */
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

  /** A part that starts again but does not answer is ended, which leads to the next try. */
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
