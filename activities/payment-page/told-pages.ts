/** Tells workflows of payment pages what other areas know. A page that has ended is told too. Provided by the manifest. */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { SettledCapture } from '../../workflows/shared/payment-page-signals.ts';
import type { PageNews, ToldPage } from '../shared/page-news.ts';
import { signalSettled } from './page-start.ts';

export class ToldPages implements PageNews {
  readonly #temporal: TemporalClient | undefined;

  /** Without a connection to Temporal it throws when it is used. */
  constructor(temporal: TemporalClient | undefined) {
    this.#temporal = temporal;
  }

  async tellSettled(page: ToldPage, settled: SettledCapture): Promise<void> {
    if (!this.#temporal)
      throw new Error('This process has no connection to Temporal, and a payment page is told by it');
    await signalSettled(this.#temporal, page, settled);
  }
}
