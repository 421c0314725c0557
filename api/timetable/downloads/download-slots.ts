/**
 * How many downloads run in this process: of one client, and of all. Each one holds a connection to the object store
 * until it has been read. Without limits, slow readers would take those of all other requests.
 *
 * Callers: the handlers of streamed answers, with one instance for each process. A slot is free again when its stream
 * has ended or was closed; the HTTP base closes every stream that it does not send.
 */
import { finished, type Readable } from 'node:stream';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { HeldCounts } from '../../shared/held-counts.ts';

/** Most downloads end sooner. */
const RETRY_AFTER_SECONDS = 10;

export interface DownloadLimits {
  readonly perClient: number;
  readonly inAll: number;
}

export class DownloadSlots {
  readonly #limits: DownloadLimits;
  readonly #ofClients: HeldCounts;
  #inAll = 0;

  constructor(limits: DownloadLimits) {
    this.#limits = limits;
    this.#ofClients = new HeldCounts(limits.perClient);
  }

  /** The downloads that run. */
  get running(): number {
    return this.#inAll;
  }

  /**
   * Opens a stream in a slot of the client. Throws RATE_LIMITED when the client has no slot left, and UNAVAILABLE when the
   * process has none.
   */
  async open<T extends { readonly stream: Readable } | undefined>(
    clientId: string,
    open: () => Promise<T>,
  ): Promise<T> {
    this.#take(clientId);
    let opened: T | undefined;
    try {
      opened = await open();
      return opened;
    } finally {
      if (opened) finished(opened.stream, { writable: false }, () => this.#release(clientId));
      else this.#release(clientId);
    }
  }

  /** Throws the same without taking a slot: for a caller that has more work to do before it opens a stream. */
  requireFree(clientId: string): void {
    this.#take(clientId);
    this.#release(clientId);
  }

  #take(clientId: string): void {
    const { perClient, inAll } = this.#limits;
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
    if (!this.#ofClients.take(clientId)) {
      const detail = `${perClient} downloads of this client run already. Wait for one of them to end.`;
      throw new ServiceError('RATE_LIMITED', detail, { headers });
    }
    if (this.#inAll >= inAll) {
      this.#ofClients.release(clientId);
      throw new ServiceError('UNAVAILABLE', 'Too many downloads run. Try again soon.', { headers });
    }
    this.#inAll += 1;
  }

  #release(clientId: string): void {
    this.#inAll -= 1;
    this.#ofClients.release(clientId);
  }
}
