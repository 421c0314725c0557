/**
 * Delivers events to one webhook: each key's in their order, several keys at once. A key that fails waits by itself. Progress
 * is stored every half second, so a crash repeats what was delivered since, and leaves out nothing.
 *
 * Caller: the deliveries of all webhooks (webhook-deliveries.ts), in one process at a time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { cloudEvent } from '../../../platform/events/cloud-event.ts';
import type { Logger } from '../../../platform/log.ts';
import type { LoggedEvent } from '../event-log-document.ts';
import type { EventLogReads } from '../event-log-reads.ts';
import { findHindrance, type Hindrance } from './earlier-events.ts';
import type { FailedKey } from './failing-keys.ts';
import { ProgressKeeper } from './progress-keeper.ts';
import type { FailingKey, WebhookDocument } from './webhook-document.ts';
import { type Lane, laneOf, WebhookLanes } from './webhook-lanes.ts';
import type { DeliveryOutcome, WebhookRequests } from './webhook-request.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface WebhookRunnerOptions {
  readonly webhook: WebhookDocument;
  readonly log: EventLogReads;
  readonly store: WebhookStore;
  readonly secrets: WebhookSecrets;
  readonly requests: WebhookRequests;
  readonly logger: Logger;
  readonly onDelivery: (outcome: 'delivered' | 'failed') => void;
  readonly now?: () => Date;
}

const KEYS_AT_ONCE = 8;
/** So that keys which fail slowly leave room for the others. */
const RETRIES_AT_ONCE = 4;
/** Shared by the topics, so that each goes on while others wait for it. */
const MAX_QUEUED = 100;
const LOOK_AGAIN_MS = 1_000;
const RETRY_MS = 500;
const LONGEST_SLEEP_MS = 30_000;

export class WebhookRunner {
  readonly #options: WebhookRunnerOptions;
  readonly #lanes: WebhookLanes;
  readonly #progress: ProgressKeeper;
  readonly #stopping = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  /** Lanes that wait for another, and the step that they have looked at. */
  readonly #parked = new Map<string, number>();
  #steps = 0;
  readonly #ended: Promise<void>;
  readonly #now: () => Date;
  #heads: ReadonlyMap<string, number> = new Map();
  #wake: () => void = () => undefined;
  #woken = false;

  /** Runs from construction on. */
  constructor(options: WebhookRunnerOptions) {
    this.#options = options;
    const { webhook, store } = options;
    this.#now = options.now ?? (() => new Date());
    this.#lanes = new WebhookLanes(webhook.topics, webhook);
    this.#progress = new ProgressKeeper(webhook, this.#lanes, store, this.#now);
    this.#ended = this.#run();
  }

  /** False after it has ended by itself: the webhook was deleted, disabled, or written by another process. */
  get isRunning(): boolean {
    return !this.#stopping.signal.aborted;
  }

  /** The last offsets of its topics. */
  offer(heads: ReadonlyMap<string, number>): void {
    this.#heads = heads;
    if (this.#options.webhook.topics.some((topic) => this.#behind(topic))) this.#wakeUp();
  }

  /** Ends the deliveries in progress. What they were is delivered again. */
  async stop(): Promise<void> {
    this.#end();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (this.isRunning) {
      try {
        this.#woken = false;
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
      this.#steps += 1;
      this.#progress.noteScanned();
      this.#startLanes();
    }
  }

  #startLanes(): void {
    const due = this.#lanes.failing.filter((each) => !each.stopped && each.nextAttemptAt <= this.#now());
    for (const each of due) {
      if (!this.#hasRoomToRetry()) break;
      this.#start(laneOf(each), () => this.#retry(each));
    }
    for (const lane of this.#lanes.waiting())
      if (this.#parked.get(lane.id) !== this.#steps) this.#start(lane, () => this.#drain(lane));
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
        this.#wakeUp();
      });
    this.#busy.set(lane.id, done);
  }

  /** Delivers the events of a key for the first time, until one fails. */
  async #drain(lane: Lane): Promise<void> {
    for (let next = this.#lanes.next(lane); next && this.isRunning; next = this.#lanes.next(lane)) {
      const steps = this.#steps;
      const hindrance = await this.#hindranceOf(next);
      this.#parked.delete(lane.id);
      if (hindrance === 'SOON') return void this.#parked.set(lane.id, steps);
      if (hindrance !== 'NOTHING') return this.#putAside({ ...lane, offset: next.offset }, hindrance);
      const outcome = await this.#deliver(next);
      if (!outcome.delivered) {
        this.#fail({ ...lane, offset: next.offset }, outcome);
        return;
      }
      this.#lanes.delivered(lane);
      this.#steps += 1;
      this.#wakeUp();
    }
  }

  /** Delivers what a failing key has in the log, until one fails again or all that was dispatched meanwhile is delivered. */
  async #retry(failing: FailingKey): Promise<void> {
    const { log, webhook } = this.#options;
    const { topic, key } = failing;
    let present = failing;
    for (;;) {
      const upTo = this.#lanes.scanned(topic);
      const next = await log.findOfKey(topic, webhook.organisationId, key, { from: present.offset, upTo });
      if (!this.isRunning) return;
      if (!next) {
        // Nothing of it was dispatched while we looked: from now on it is like any other.
        if (this.#lanes.scanned(topic) !== upTo) continue;
        this.#steps += 1;
        this.#lanes.recover(present);
        return this.#progress.noteRecovered();
      }
      const hindrance = await this.#hindranceOf(next);
      if (hindrance !== 'NOTHING') return this.#putAside({ ...present, offset: next.offset }, hindrance);
      const outcome = await this.#deliver(next);
      if (!outcome.delivered) {
        this.#fail({ ...present, offset: next.offset }, outcome);
        return;
      }
      present = { ...present, offset: next.offset + 1, attempts: 0, since: this.#now(), nextAttemptAt: this.#now() };
      this.#lanes.fail(present);
      this.#steps += 1;
    }
  }

  async #hindranceOf({ event }: LoggedEvent): Promise<Hindrance> {
    const { webhook, log } = this.#options;
    return webhook.topics.length === 1 ? 'NOTHING' : await findHindrance(webhook, event, this.#lanes, log);
  }

  /** The key waits for its events in another topic: with them it goes on or stops. Takes no room meanwhile. */
  #putAside({ topic, key, offset, since, attempts = 0 }: FailedKey, hindrance: Exclude<Hindrance, 'NOTHING'>): void {
    const now = this.#now();
    const soon = new Date(now.getTime() + LOOK_AGAIN_MS);
    const other = hindrance === 'SOON' ? undefined : hindrance;
    const nextAttemptAt = other && other.nextAttemptAt > soon ? other.nextAttemptAt : soon;
    const stopped = other?.stopped && { stopped: other.stopped };
    this.#lanes.fail({ topic, key, offset, since: since ?? now, attempts, nextAttemptAt, ...stopped });
    this.#progress.noteScanned();
    this.#steps += 1;
  }

  /** Throws when the runner has ended meanwhile. */
  async #deliver({ event }: LoggedEvent): Promise<DeliveryOutcome> {
    const { store, requests, secrets, webhook, onDelivery } = this.#options;
    if (!(await store.isActive(webhook._id))) this.#end();
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    let secret: Uint8Array;
    try {
      secret = secrets.open(webhook);
    } catch {
      return { delivered: false, reason: 'SECRET_UNREADABLE' };
    }
    const body = JSON.stringify(cloudEvent(event));
    const outcome = await requests.send({ url: webhook.url, secret, body, signal });
    onDelivery(outcome.delivered ? 'delivered' : 'failed');
    if (outcome.delivered) this.#progress.noteDelivered();
    return outcome;
  }

  #fail(failed: FailedKey, outcome: DeliveryOutcome & { readonly delivered: false }): void {
    const { logger, webhook } = this.#options;
    const { _id: webhookId, organisationId } = webhook;
    this.#steps += 1;
    if (!this.#progress.noteFailure(failed, outcome)) return;
    logger.warn({ webhookId, organisationId }, 'a webhook has failed for too long: it is disabled');
    this.#end();
  }

  #end(): void {
    this.#stopping.abort();
    this.#wakeUp();
  }

  #wakeUp(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Until a head moves, a lane ends, a failing key is due, or progress is to be saved. */
  async #sleep(): Promise<void> {
    if (this.#woken || !this.isRunning) return;
    const now = this.#now().getTime();
    // Without room a due key waits for a lane to end, which wakes: its past due time would turn the loop without pause.
    const dues = this.#hasRoomToRetry() ? this.#lanes.failing.flatMap((each) => this.#dueOf(each, now)) : [];
    const sleepMs = Math.max(1, Math.min(LONGEST_SLEEP_MS, ...dues, this.#progress.dueInMs() ?? LONGEST_SLEEP_MS));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, sleepMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #dueOf(failing: FailingKey, now: number): readonly number[] {
    const waits = !failing.stopped && !this.#busy.has(laneOf(failing).id);
    return waits ? [failing.nextAttemptAt.getTime() - now] : [];
  }
}
