/** Figures of payments. Callers: the role; the API, for what providers report. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CallbackOutcome } from './client-callbacks.ts';
import type { EndedPart } from './credit/credit-activities.ts';
import type { PaymentFigures } from './payment-figures.ts';
import { type CallNote, POSSIBLE_OUTCOMES } from './provider/observed-provider.ts';
import type { ProviderTrouble } from './provider/payment-provider.ts';

/** Seconds. Adapters give up after 8. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export class PaymentMetrics {
  readonly #calls: Counter;
  readonly #seconds: Histogram;
  readonly #credits: Counter;
  readonly #creditedMinor: Counter;
  readonly #callbacks: Counter;
  readonly #figures: Gauge;
  readonly #oldest: Gauge;

  /** `providers`: the names of those whose calls are observed. */
  constructor(registry: Registry, providers: readonly string[]) {
    const registers = [registry];
    this.#calls = new Counter({
      name: 'payments_provider_calls_total',
      help: 'Calls of payment providers by outcome; unknown: no answer in time, failed: an answer that the adapter refuses',
      labelNames: ['provider', 'call', 'outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'payments_provider_call_duration_seconds',
      help: 'Time that payment providers take to answer, or until they are given up',
      labelNames: ['provider', 'call'],
      buckets: BUCKETS,
      registers,
    });
    this.#credits = new Counter({
      name: 'payments_credits_ended_total',
      help: 'Parts of credits that were paid back, or that the provider has refused',
      labelNames: ['provider', 'outcome'],
      registers,
    });
    this.#creditedMinor = new Counter({
      name: 'payments_credited_minor_units_total',
      help: 'Money that was paid back, in the smallest unit of its currency',
      labelNames: ['provider', 'currency'],
      registers,
    });
    this.#callbacks = new Counter({
      name: 'payments_callbacks_total',
      help: 'Attempts to tell clients of payments, by outcome; given_up: not taken for two days',
      labelNames: ['outcome'],
      registers,
    });
    this.#figures = new Gauge({
      name: 'payments_waiting_count',
      help: 'What waits: payments that may still be captured, or whose outcome a provider has not said; credits; callbacks',
      labelNames: ['what'],
      registers,
    });
    this.#oldest = new Gauge({
      name: 'payments_waiting_oldest_seconds',
      help: 'Age of the oldest outcome that a provider has not said, and of the oldest credit that is not paid back',
      labelNames: ['what'],
      registers,
    });
    for (const provider of providers) this.#startAtZero(provider);
    for (const outcome of ['taken', 'refused', 'given_up']) this.#callbacks.inc({ outcome }, 0);
  }

  called({ provider, call, outcome, seconds }: CallNote): void {
    this.#calls.inc({ provider, call, outcome });
    this.#seconds.observe({ provider, call }, seconds);
  }

  credited({ outcome, provider, currency, amountMinor }: EndedPart): void {
    this.#credits.inc({ provider, outcome });
    if (outcome === 'credited') this.#creditedMinor.inc({ provider, currency }, amountMinor);
  }

  toldClient(outcome: CallbackOutcome): void {
    this.#callbacks.inc({ outcome });
  }

  /** Every process of the role counts them. */
  async count(figures: PaymentFigures, now: number = Date.now()): Promise<void> {
    const { counts, since } = await figures.read();
    for (const [what, count] of Object.entries(counts)) this.#figures.set({ what }, count);
    for (const [what, at] of Object.entries(since)) {
      this.#oldest.set({ what }, at ? Math.max(0, now - at.getTime()) / 1_000 : 0);
    }
  }

  #startAtZero(provider: string): void {
    for (const outcome of ['credited', 'failed']) this.#credits.inc({ provider, outcome }, 0);
    for (const [call, outcomes] of Object.entries(POSSIBLE_OUTCOMES)) {
      for (const outcome of outcomes) this.#calls.inc({ provider, call, outcome }, 0);
      this.#seconds.zero({ provider, call });
    }
  }
}

/** In the API, where providers report. */
export function measureReturnedMoney(registry: Registry): (kind: ProviderTrouble['kind']) => void {
  const returned = new Counter({
    name: 'payments_money_returned_total',
    help: 'Reports of providers that captured money was disputed, or that a refund has failed later',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of ['disputed', 'refund_failed']) returned.inc({ kind }, 0);
  return (kind) => returned.inc({ kind: kind.toLowerCase() });
}
