/**
 * How many requests of one client may wait for events in this process. Each waiting request holds a connection, and
 * without a limit one client could take those of all others. Caller: the handler of listEvents.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { HeldCounts } from '../shared/held-counts.ts';

/** The longest that a request may wait: by then a slot has become free. */
const RETRY_AFTER_SECONDS = 30;

export class ReaderSlots {
  readonly #perClient: number;
  readonly #waiting: HeldCounts;

  constructor(perClient: number) {
    this.#perClient = perClient;
    this.#waiting = new HeldCounts(perClient);
  }

  /** Runs `wait` in a slot of the client. Throws RATE_LIMITED when the client has no slot left. */
  async hold<T>(clientId: string, wait: () => Promise<T>): Promise<T> {
    if (!this.#waiting.take(clientId)) throw this.#refusal();
    try {
      return await wait();
    } finally {
      this.#waiting.release(clientId);
    }
  }

  #refusal(): ServiceError {
    const detail = `${this.#perClient} requests of this client wait for events already. Read several topics in turn, or without wait.`;
    return new ServiceError('RATE_LIMITED', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
  }
}
