/**
 * Delivers events to one webhook: each key's in their order, several keys at once. A key that fails waits by itself. Progress
 * is stored every half second, so a crash repeats what was delivered since, and leaves out nothing.
 *
 * Caller: the deliveries of all webhooks (webhook-deliveries.ts), in one process at a time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type DeliveryParts, LaneDeliveries } from './lane-deliveries.ts';
import { ProgressKeeper } from './progress-keeper.ts';
import { Waker } from './waker.ts';
import type { FailingKey } from './webhook-document.ts';
import { type Lane, laneOf, WebhookLanes } from './webhook-lanes.ts';

export interface WebhookRunnerOptions extends DeliveryParts {
  readonly now?: () => Date;
}

const KEYS_AT_ONCE = 8;
/** So that keys which fail slowly leave room for the others. */
const RETRIES_AT_ONCE = 4;
/** Shared by the topics, so that each goes on while others wait for it. */
const MAX_QUEUED = 100;
const RETRY_MS = 500;
const LONGEST_SLEEP_MS = 30_000;

export class WebhookRunner {
  readonly #options: WebhookRunnerOptions;
  readonly #lanes: WebhookLanes;
  readonly #progress: ProgressKeeper;
  readonly #stopping = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #waker = new Waker();
  readonly #deliveries: LaneDeliveries;
  readonly #ended: Promise<void>;
  readonly #now: () => Date;
  #heads: ReadonlyMap<string, number> = new Map();

  /** Runs from construction on. */
  constructor(options: WebhookRunnerOptions) {
    this.#options = options;
    const { webhook, store } = options;
    this.#now = options.now ?? (() => new Date());
    this.#lanes = new WebhookLanes(webhook.topics, webhook);
    this.#progress = new ProgressKeeper(webhook, this.#lanes, store, this.#now);
    this.#deliveries = new LaneDeliveries({
      ...{ ...options, lanes: this.#lanes, progress: this.#progress, signal: this.#stopping.signal, now: this.#now },
      wakeUp: () => this.#waker.wakeUp(),
      end: () => this.#end(),
    });
    this.#ended = this.#run();
  }

  /** False after it has ended by itself: the webhook was deleted, disabled, or written by another process. */
  get isRunning(): boolean {
    return !this.#stopping.signal.aborted;
  }

  /** The last offsets of its topics. */
  offer(heads: ReadonlyMap<string, number>): void {
    this.#heads = heads;
    if (this.#options.webhook.topics.some((topic) => this.#behind(topic))) this.#waker.wakeUp();
  }

  /** Ends the deliveries in progress. What they were is delivered again. */
  async stop(): Promise<void> {
    this.#end();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (this.isRunning) {
      try {
        this.#waker.reset();
        for (const topic of this.#options.webhook.topics) await this.#scan(topic);
        this.#startLanes();
        if (!(await this.#progress.saveWhenDue())) this.#end();
      } catch (error) {
        this.#options.logger.warn(
          { err: error, webhookId: this.#options.webhook._id },
          'deliveries have failed; tried again',
        );
        await delay(RETRY_MS);
      }
      await this.#sleep();
    }
    await Promise.all(this.#busy.values());
    await this.#progress.save().catch(() => undefined);
  }

  #behind(topic: string): boolean {
    return (this.#heads.get(topic) ?? 0) > this.#lanes.scanned(topic);
  }

  /** How many events of a topic may be dispatched now. */
  #roomFor(topic: string): number {
    if (!this.isRunning || !this.#progress.mayReadOn) return 0;
    return Math.ceil(MAX_QUEUED / this.#options.webhook.topics.length) - this.#lanes.queued(topic);
  }

  async #scan(topic: string): Promise<void> {
    const { log, webhook } = this.#options;
    for (let limit = this.#roomFor(topic); limit > 0 && this.#behind(topic); limit = this.#roomFor(topic)) {
      const upTo = this.#heads.get(topic) ?? 0;
      const after = this.#lanes.scanned(topic);
      const events = await log.list(topic, webhook.organisationId, { after, upTo, limit });
      this.#lanes.dispatch(topic, events, events.length < limit ? upTo : (events.at(-1)?.offset ?? upTo));
      this.#deliveries.noteStep();
      this.#progress.noteScanned();
      this.#startLanes();
    }
  }

  #startLanes(): void {
    const due = this.#lanes.failing.filter((each) => !each.stopped && each.nextAttemptAt <= this.#now());
    for (const each of due) {
      if (!this.#hasRoomToRetry()) break;
      this.#start(laneOf(each), () => this.#deliveries.retry(each));
    }
    for (const lane of this.#lanes.waiting())
      if (!this.#deliveries.isParked(lane)) this.#start(lane, () => this.#deliveries.drain(lane));
  }

  #hasRoomToRetry(): boolean {
    const retried = this.#lanes.failing.filter((key) => this.#busy.has(laneOf(key).id)).length;
    return this.#busy.size < KEYS_AT_ONCE && retried < RETRIES_AT_ONCE;
  }

  #start(lane: Lane, work: () => Promise<void>): void {
    if (!this.isRunning || this.#busy.size >= KEYS_AT_ONCE || this.#busy.has(lane.id)) return;
    const done = work()
      .catch(async (error: unknown) => {
        if (!this.isRunning) return;
        await delay(RETRY_MS);
        this.#options.logger.warn(
          { err: error, webhookId: this.#options.webhook._id },
          'a delivery could not be tried',
        );
      })
      .finally(() => {
        this.#busy.delete(lane.id);
        this.#waker.wakeUp();
      });
    this.#busy.set(lane.id, done);
  }

  #end(): void {
    this.#stopping.abort();
    this.#waker.wakeUp();
  }

  /** Until a head moves, a lane ends, a failing key is due, or progress is to be saved. */
  async #sleep(): Promise<void> {
    if (!this.isRunning) return;
    const now = this.#now().getTime();
    // Without room a due key waits for a lane to end, which wakes: its past due time would turn the loop without pause.
    const dues = this.#hasRoomToRetry() ? this.#lanes.failing.flatMap((each) => this.#dueOf(each, now)) : [];
    await this.#waker.sleep(
      Math.max(1, Math.min(LONGEST_SLEEP_MS, ...dues, this.#progress.dueInMs() ?? LONGEST_SLEEP_MS)),
    );
  }

  #dueOf(failing: FailingKey, now: number): readonly number[] {
    const waits = !failing.stopped && !this.#busy.has(laneOf(failing).id);
    return waits ? [failing.nextAttemptAt.getTime() - now] : [];
  }
}
