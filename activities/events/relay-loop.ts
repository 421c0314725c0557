/**
 * The life of a relay. Of several processes one leads: it receives change signals and also polls every second. The
 * others wait for its lease to end. Caller: relay-role.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from '../../platform/log.ts';
import { ChangeSignal } from './change-signal.ts';
import type { EventRelay } from './event-relay.ts';
import type { RelayLease } from './relay-lease.ts';

export interface RelayLoopOptions {
  readonly connection: Connection;
  readonly log: Logger;
  readonly relay: EventRelay;
  readonly lease: RelayLease;
  /** Collections with outboxes. */
  readonly collections: readonly string[];
  /** Called when this process begins to lead, and when it stops leading. */
  readonly onLeading: (leads: boolean) => void;
}

const SWEEP_EVERY_MS = 1_000;
/** After a signal, wait for other writes of the same moment and move them together. */
const GATHER_MS = 5;

export class RelayLoop {
  readonly #options: RelayLoopOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #signal: ChangeSignal | undefined;
  #changed = false;
  #wake: (() => void) | undefined;

  /** Runs from construction on. */
  constructor(options: RelayLoopOptions) {
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
        log.warn({ err: error }, 'events could not be moved; tried again');
        // The state of the lease is unknown: stop leading.
        await this.#lead(false);
      }
      await this.#untilNextTurn();
    }
    await this.#lead(false);
    await lease.release().catch((error: unknown) => log.warn({ err: error }, 'the lease runs out by itself'));
  }

  async #turn(): Promise<void> {
    const { lease, relay } = this.#options;
    await this.#lead(await this.#leads(() => lease.hold()));
    if (!this.#signal) return;
    await relay.relayPending(() => this.#leads(() => lease.hold()));
  }

  async #leads(hold: () => Promise<boolean>): Promise<boolean> {
    return !this.#stopping.signal.aborted && (await hold());
  }

  /** Only the leader opens the change stream. */
  async #lead(leads: boolean): Promise<void> {
    const { connection, collections, log, onLeading } = this.#options;
    if (leads === (this.#signal !== undefined)) return;
    log.info({ leads }, leads ? 'moves events from now on' : 'moves no events any more');
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
