/**
 * Holds the progress of one webhook and stores it: at once is too often, so at most every half second. Caller: the runner.
 */
import type { FailedKey } from './failing-keys.ts';
import { afterFailure, MAX_STOPPED, mayReadOn } from './failing-keys.ts';
import type { WebhookDocument, WebhookProgress } from './webhook-document.ts';
import type { WebhookLanes } from './webhook-lanes.ts';
import type { DeliveryOutcome } from './webhook-request.ts';
import type { WebhookStore } from './webhook-store.ts';

const SAVE_EVERY_MS = 500;
/** Positions that move without a delivery (events of other organisations) are stored this seldom. */
const SAVE_IDLE_MS = 30_000;

export class ProgressKeeper {
  readonly #id: WebhookDocument['_id'];
  readonly #store: WebhookStore;
  readonly #lanes: WebhookLanes;
  readonly #now: () => Date;
  #progress: Omit<WebhookProgress, 'positions' | 'failing'>;
  #revision: number;
  #unsaved: 'nothing' | 'positions' | 'deliveries' = 'nothing';
  #savedAtMs = performance.now();

  constructor(webhook: WebhookDocument, lanes: WebhookLanes, store: WebhookStore, now: () => Date) {
    const { lastDeliveredAt, lastFailure, revision } = webhook;
    this.#id = webhook._id;
    this.#store = store;
    this.#lanes = lanes;
    this.#now = now;
    this.#progress = { ...(lastDeliveredAt && { lastDeliveredAt }), ...(lastFailure && { lastFailure }) };
    this.#revision = revision;
  }

  /** False while so many keys fail that further events wait for them. */
  get mayReadOn(): boolean {
    return mayReadOn(this.#lanes.failing, this.#progress, this.#now());
  }

  noteScanned(): void {
    if (this.#unsaved === 'nothing') this.#unsaved = 'positions';
  }

  noteDelivered(): void {
    this.#progress = { ...this.#progress, lastDeliveredAt: this.#now() };
    this.#unsaved = 'deliveries';
  }

  /** A key has caught up: stored soon, because a stored failing key is shown, and is tried again after a restart. */
  noteRecovered(): void {
    this.#unsaved = 'deliveries';
  }

  /** True when the webhook is disabled by it. */
  noteFailure(
    failed: FailedKey,
    { delivered: _, ...failure }: DeliveryOutcome & { readonly delivered: false },
  ): boolean {
    const at = this.#now();
    const { key, disables } = afterFailure(failed, this.#progress, at, Math.random());
    this.#lanes.fail(key);
    const stopped = this.#lanes.failing.filter((each) => each.stopped).length;
    const disabled = disables || stopped > MAX_STOPPED;
    this.#progress = { ...this.#progress, lastFailure: { ...failure, at }, ...(disabled && { disabledAt: at }) };
    this.#unsaved = 'deliveries';
    return disabled;
  }

  /** Milliseconds until deliveries are to be stored; undefined when there are none. */
  dueInMs(): number | undefined {
    if (this.#unsaved !== 'deliveries') return undefined;
    return Math.max(0, SAVE_EVERY_MS - (performance.now() - this.#savedAtMs));
  }

  /** False when the webhook was deleted, or another process has written it. */
  async saveWhenDue(): Promise<boolean> {
    const wait = this.#unsaved === 'deliveries' ? SAVE_EVERY_MS : SAVE_IDLE_MS;
    return performance.now() - this.#savedAtMs < wait || (await this.save());
  }

  async save(): Promise<boolean> {
    if (this.#unsaved === 'nothing') return true;
    const unsaved = this.#unsaved;
    this.#unsaved = 'nothing';
    this.#savedAtMs = performance.now();
    const progress = { ...this.#progress, positions: this.#lanes.positions(), failing: this.#lanes.failing };
    try {
      const saved = await this.#store.save(this.#id, this.#revision, progress);
      this.#revision += 1;
      return saved;
    } catch (error) {
      if (this.#unsaved === 'nothing') this.#unsaved = unsaved;
      throw error;
    }
  }
}
