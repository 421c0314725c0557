/**
 * The life of a job that one process does at a time. Of several processes one leads: it receives change signals and also
 * works every second. The others wait for its lease to end. Caller: the role of the events worker.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { ChangeSignal } from './change-signal.ts';
import type { EventLease } from './event-lease.ts';

export interface LeasedLoopOptions {
  readonly connection: Connection;
  readonly log: Logger;
  /** Does what is pending; safe to repeat. Asks `mayGoOn` between two steps, and ends early when it answers false. */
  readonly work: (mayGoOn: () => Promise<boolean>) => Promise<void>;
  readonly lease: EventLease;
  /** A change in one of these starts the work at once. */
  readonly collections: readonly string[];
  /** Called when this process begins to lead, and when it stops leading. */
  readonly onLeading: (leads: boolean) => void;
}

const SWEEP_EVERY_MS = 1_000;
/** After a signal, wait for other writes of the same moment and move them together. */
const GATHER_MS = 5;

export class LeasedLoop {
  readonly #options: LeasedLoopOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #signal: ChangeSignal | undefined;
  #changed = false;
  #wake: (() => void) | undefined;

  /** Runs from construction on. */
  constructor(options: LeasedLoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Ends the batch in progress and lets another process lead. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake?.();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { lease, log } = this.#options;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#turn();
      } catch (error) {
        log.warn({ err: error, job: lease.job }, 'the work on events has failed; tried again');
        // The state of the lease is unknown: stop leading.
        await this.#lead(false);
      }
      await this.#untilNextTurn();
    }
    await this.#lead(false);
    await lease.release().catch((error: unknown) => log.warn({ err: error }, 'the lease runs out by itself'));
  }

  async #turn(): Promise<void> {
    const { lease, work } = this.#options;
    await this.#lead(await this.#leads(() => lease.hold()));
    if (!this.#signal) return;
    await work(() => this.#leads(() => lease.hold()));
  }

  async #leads(hold: () => Promise<boolean>): Promise<boolean> {
    return !this.#stopping.signal.aborted && (await hold());
  }

  /** Only the leader opens the change stream. */
  async #lead(leads: boolean): Promise<void> {
    const { connection, collections, lease, log, onLeading } = this.#options;
    if (leads === (this.#signal !== undefined)) return;
    log.info({ leads, job: lease.job }, leads ? 'leads from now on' : 'leads no more');
    onLeading(leads);
    const before = this.#signal;
    this.#signal = leads
      ? new ChangeSignal({ connection, log, collections, onChange: () => this.#noteChange() })
      : undefined;
    await before?.stop();
  }

  #noteChange(): void {
    this.#changed = true;
    this.#wake?.();
  }

  async #untilNextTurn(): Promise<void> {
    const { signal } = this.#stopping;
    if (!this.#changed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SWEEP_EVERY_MS);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    if (this.#changed) await delay(GATHER_MS);
    this.#changed = false;
  }
}
