/**
 * Delivers the events of one key after the other: for the first time, or again after a failure. Between two topics of a webhook it
 * waits for earlier events of the same aggregate. Caller: the runner, which says when.
 */
import { cloudEvent } from '../../../platform/events/cloud-event.ts';
import type { Logger } from '../../../platform/log.ts';
import type { LoggedEvent } from '../event-log-document.ts';
import type { EventLogReads } from '../event-log-reads.ts';
import { findHindrance, type Hindrance } from './earlier-events.ts';
import type { FailedKey } from './failing-keys.ts';
import type { ProgressKeeper } from './progress-keeper.ts';
import type { FailingKey, WebhookDocument } from './webhook-document.ts';
import type { Lane, WebhookLanes } from './webhook-lanes.ts';
import type { DeliveryOutcome, WebhookRequests } from './webhook-request.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface DeliveryParts {
  readonly webhook: WebhookDocument;
  readonly log: EventLogReads;
  readonly store: WebhookStore;
  readonly secrets: WebhookSecrets;
  readonly requests: WebhookRequests;
  readonly logger: Logger;
  readonly onDelivery: (outcome: 'delivered' | 'failed') => void;
}

export interface LaneDeliveriesOptions extends DeliveryParts {
  readonly lanes: WebhookLanes;
  readonly progress: ProgressKeeper;
  /** Aborted when the runner ends. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly wakeUp: () => void;
  readonly end: () => void;
}

const LOOK_AGAIN_MS = 1_000;

export class LaneDeliveries {
  readonly #options: LaneDeliveriesOptions;
  /** Lanes that wait for another, and the step that they have looked at. */
  readonly #parked = new Map<string, number>();
  #steps = 0;

  constructor(options: LaneDeliveriesOptions) {
    this.#options = options;
  }

  /** Something has changed that a parked lane may have waited for. */
  noteStep(): void {
    this.#steps += 1;
  }

  /** Nothing has changed since it has looked. */
  isParked({ id }: Lane): boolean {
    return this.#parked.get(id) === this.#steps;
  }

  /** Delivers the events of a key for the first time, until one fails. */
  async drain(lane: Lane): Promise<void> {
    for (let next = this.#options.lanes.next(lane); next && this.#isRunning; next = this.#options.lanes.next(lane)) {
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
      this.#options.lanes.delivered(lane);
      this.#steps += 1;
      this.#options.wakeUp();
    }
  }

  /** Delivers what a failing key has in the log, until one fails again or all that was dispatched meanwhile is delivered. */
  async retry(failing: FailingKey): Promise<void> {
    const { log, webhook } = this.#options;
    const { topic, key } = failing;
    let present = failing;
    for (;;) {
      const upTo = this.#options.lanes.scanned(topic);
      const next = await log.findOfKey(topic, webhook.organisationId, key, { from: present.offset, upTo });
      if (!this.#isRunning) return;
      if (!next) {
        // Nothing of it was dispatched while we looked: from now on it is like any other.
        if (this.#options.lanes.scanned(topic) !== upTo) continue;
        this.#steps += 1;
        this.#options.lanes.recover(present);
        return this.#options.progress.noteRecovered();
      }
      const hindrance = await this.#hindranceOf(next);
      if (hindrance !== 'NOTHING') return this.#putAside({ ...present, offset: next.offset }, hindrance);
      const outcome = await this.#deliver(next);
      if (!outcome.delivered) {
        this.#fail({ ...present, offset: next.offset }, outcome);
        return;
      }
      present = {
        ...present,
        offset: next.offset + 1,
        attempts: 0,
        since: this.#options.now(),
        nextAttemptAt: this.#options.now(),
      };
      this.#options.lanes.fail(present);
      this.#steps += 1;
    }
  }

  async #hindranceOf({ event }: LoggedEvent): Promise<Hindrance> {
    const { webhook, log } = this.#options;
    return webhook.topics.length === 1 ? 'NOTHING' : await findHindrance(webhook, event, this.#options.lanes, log);
  }

  /** The key waits for its events in another topic: with them it goes on or stops. Takes no room meanwhile. */
  #putAside({ topic, key, offset, since, attempts = 0 }: FailedKey, hindrance: Exclude<Hindrance, 'NOTHING'>): void {
    const now = this.#options.now();
    const soon = new Date(now.getTime() + LOOK_AGAIN_MS);
    const other = hindrance === 'SOON' ? undefined : hindrance;
    const nextAttemptAt = other && other.nextAttemptAt > soon ? other.nextAttemptAt : soon;
    const stopped = other?.stopped && { stopped: other.stopped };
    this.#options.lanes.fail({ topic, key, offset, since: since ?? now, attempts, nextAttemptAt, ...stopped });
    this.#options.progress.noteScanned();
    this.#steps += 1;
  }

  /** Throws when the runner has ended meanwhile. */
  async #deliver({ event }: LoggedEvent): Promise<DeliveryOutcome> {
    const { store, requests, secrets, webhook, signal, onDelivery } = this.#options;
    if (!(await store.isActive(webhook._id))) this.#options.end();

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
    if (outcome.delivered) this.#options.progress.noteDelivered();
    return outcome;
  }

  #fail(failed: FailedKey, outcome: DeliveryOutcome & { readonly delivered: false }): void {
    const { logger, webhook } = this.#options;
    const { _id: webhookId, organisationId } = webhook;
    this.#steps += 1;
    if (!this.#options.progress.noteFailure(failed, outcome)) return;
    logger.warn({ webhookId, organisationId }, 'a webhook has failed for too long: it is disabled');
    this.#options.end();
  }

  get #isRunning(): boolean {
    return !this.#options.signal.aborted;
  }
}
