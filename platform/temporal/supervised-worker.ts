/**
 * Keeps a Temporal worker running until it is stopped: connects, runs it, and starts again when either fails. The SDK
 * waits out short outages itself. When it gives up, because a server stays away or comes back empty, this tries again
 * instead of ending the process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type NativeConnection, Worker, type WorkerOptions, type WorkerStatus } from '@temporalio/worker';
import type { Logger } from '../log.ts';
import type { SharedConnection } from './shared-connection.ts';

export interface SupervisedWorkerOptions {
  readonly connection: SharedConnection;
  readonly log: Logger;
  /** All options but the connection. */
  readonly worker: Omit<WorkerOptions, 'connection'>;
}

const PAUSE_MS = 1_000;
const PING_TIMEOUT_MS = 1_500;

export class SupervisedWorker {
  readonly #options: SupervisedWorkerOptions;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #connection: NativeConnection | undefined;
  #worker: Worker | undefined;
  #failure: unknown;

  constructor(options: SupervisedWorkerOptions) {
    this.#options = options;
    this.#ended = this.#keepRunning();
  }

  /** For readiness: throws while the worker takes no tasks, or could get none because the server is unreachable. */
  async ping(): Promise<void> {
    const connection = this.#connection;
    if (this.#worker?.getState() !== 'RUNNING' || !connection) throw new Error('The worker is not running');
    const { namespace } = this.#options.worker;
    await connection.withDeadline(Date.now() + PING_TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace: namespace ?? null }),
    );
  }

  get status(): WorkerStatus | undefined {
    return this.#worker?.getStatus();
  }

  /** Takes no new task, and lets running ones end within the grace period. Throws when some were aborted. */
  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#worker?.getState() === 'RUNNING') this.#worker.shutdown();
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #keepRunning(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#runOnce();
      } catch (error) {
        if (signal.aborted) this.#failure = error;
        else log.error({ err: error }, 'the worker stopped and is started again');
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #runOnce(): Promise<void> {
    const { connection: shared, worker: options } = this.#options;
    const connection = await shared.take();
    try {
      if (this.#stop.signal.aborted) return;
      const worker = await Worker.create({ ...options, connection });
      this.#connection = connection;
      this.#worker = worker;
      const run = worker.run();
      // Stopped while the worker was made: only a running one can be shut down.
      if (this.#stop.signal.aborted) worker.shutdown();
      await run;
    } finally {
      this.#worker = undefined;
      this.#connection = undefined;
      await shared.release();
    }
  }
}
