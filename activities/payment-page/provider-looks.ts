/**
 * Has the provider asked when a customer comes back and nothing is known yet: the provider may be slow to call, or its
 * call be lost. A page that waits asks again every few seconds. Caller: PaymentPages.
 */
import type { Logger } from '../../platform/log.ts';
import { LruCache } from '../../platform/lru-cache.ts';
import type { AttemptPlace, AttemptState, PagePayments } from '../shared/payments.ts';

/** Between two questions for one customer in one state, in this process. A customer comes soon from a challenge. */
const EVERY_MS: Readonly<Partial<Record<AttemptState['state'], number>>> = { RETRY: 1_000 };
const USUALLY_EVERY_MS = 5_000;
/** Customers who wait at a time; more only ask a little more often. */
const MOST = 10_000;

export interface ProviderLooksOptions {
  readonly payments: () => Pick<PagePayments, 'lookAgain'>;
  readonly log: Logger;
}

export class ProviderLooks {
  readonly #options: ProviderLooksOptions;
  readonly #lookedAt = new LruCache<number>(MOST, MOST);

  constructor(options: ProviderLooksOptions) {
    this.#options = options;
  }

  /**
   * `state`: as it is known. False: nothing was learnt, since the provider was asked just before, or has not answered in time.
   * Never throws: the customer waits on.
   */
  async look(place: AttemptPlace, state: AttemptState['state']): Promise<boolean> {
    const key = `${place.transactionId}/${state}`;
    const now = Date.now();
    if (now - (this.#lookedAt.get(key) ?? 0) < (EVERY_MS[state] ?? USUALLY_EVERY_MS)) return false;
    this.#lookedAt.set(key, now, 1);
    try {
      await this.#options.payments().lookAgain(place);
      return true;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'it is not known how it stands for a customer who is back');
      return false;
    }
  }
}
