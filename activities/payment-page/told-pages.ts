/** Tells workflows of payment pages what other areas know. A page that has ended is told too. Provided by the manifest. */
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { lacksDelivery } from '../../workflows/payment-page/rules/page-end.ts';
import type { SettledCapture } from '../../workflows/shared/payment-page-signals.ts';
import type { PageNews, ToldPage } from '../shared/page-news.ts';
import { signalDelivered, signalSettled } from './page-start.ts';
import type { PageStore } from './page-store.ts';

export interface ToldPagesOptions {
  /** Without a connection to Temporal it throws when it tells. */
  readonly temporal: TemporalClient | undefined;
  readonly pages: Pick<PageStore, 'find'>;
}

export class ToldPages implements PageNews {
  readonly #options: ToldPagesOptions;

  constructor(options: ToldPagesOptions) {
    this.#options = options;
  }

  async tellSettled(page: ToldPage, settled: SettledCapture): Promise<void> {
    await signalSettled(this.#temporal, page, settled);
  }

  async lacksDelivery({ organisationId, pageId }: ToldPage): Promise<boolean> {
    const stored = await this.#options.pages.find(organisationId, pageId);
    return stored !== undefined && lacksDelivery(stored.page);
  }

  async tellDelivered(page: ToldPage): Promise<void> {
    await signalDelivered(this.#temporal, page, { delivered: true });
  }

  get #temporal(): TemporalClient {
    const { temporal } = this.#options;
    if (temporal) return temporal;
    throw new Error('This process has no connection to Temporal, and a payment page is told by it');
  }
}
