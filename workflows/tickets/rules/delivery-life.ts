/**
 * A delivery as its workflow knows it: what was refused, how its mails stand, and when to try again. The database decides; this
 * remembers. Pure: no clock, nothing of Temporal.
 */
import type { PaymentPageId } from '../../shared/ids.ts';
import type { IssueStep, SendStep } from '../activities.ts';
import type { DeliveryOutcome } from '../messages.ts';

/** Refusals of a call, whose lines are made later. */
const PASSING: ReadonlySet<string> = new Set(['ORDER_LOCKED', 'UNAVAILABLE']);

export class DeliveryLife {
  #isRefused = false;
  #hasNewMails = false;
  #sending: SendStep = { sent: 0, failed: 0, unaddressed: 0 };
  #page: PaymentPageId | undefined;
  #messages = 0;

  /** Updates of this run, which bound its length. */
  get messages(): number {
    return this.#messages;
  }

  get page(): PaymentPageId | undefined {
    return this.#page;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  get outcome(): DeliveryOutcome {
    const { sent, failed, unaddressed, waiting = 0 } = this.#sending;
    if (this.#isRefused || failed > 0) return 'FAILED';
    if (waiting > 0) return 'WAITING';
    if (sent > 0) return 'DELIVERED';
    return unaddressed > 0 ? 'UNADDRESSED' : 'NOTHING';
  }

  get state(): string {
    return this.isOver ? this.outcome : 'SENDING';
  }

  get isOver(): boolean {
    return !this.#hasNewMails && this.#sending.nextTryAtMs === undefined;
  }

  messageArrived(): void {
    this.#messages += 1;
  }

  /** A later attempt that succeeds takes a refusal back. One that passes says nothing about what is sent. */
  issued({ refusal, paymentPageId }: IssueStep): void {
    if (refusal === undefined || !PASSING.has(refusal.code)) this.#isRefused = refusal !== undefined;
    this.#page ??= paymentPageId;
  }

  mailsWritten(): void {
    this.#hasNewMails = true;
  }

  /** Call before the mails are read: those of a message that comes meanwhile are read again. */
  sendingBegins(): void {
    this.#hasNewMails = false;
  }

  sent(step: SendStep): void {
    this.#sending = step;
    this.#page ??= step.paymentPageId;
  }

  mustSend(nowMs: number): boolean {
    const { nextTryAtMs } = this.#sending;
    return this.#hasNewMails || (nextTryAtMs !== undefined && nextTryAtMs <= nowMs);
  }

  /** Until the next attempt. Call while it is not over. */
  restMs(nowMs: number): number {
    return this.#hasNewMails ? 0 : Math.max(0, (this.#sending.nextTryAtMs ?? nowMs) - nowMs);
  }
}
