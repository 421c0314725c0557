/**
 * Lets only so many password hashes run at once, and serves the organisations that wait in turn. So an organisation that sends
 * hundreds at once delays another one by at most one hash per waiting organisation. Caller: passwords.ts.
 *
 * Every hash takes a thread of the pool, which files and names need too, and the same memory. Both bound the number at once.
 */
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

export interface HashingLimits {
  /** Hashes at once. */
  readonly atOnce: number;
  /** Hashes that one organisation may have waiting. */
  readonly waitingPerOrganisation: number;
  /** Time after which a waiting hash is given up: its caller is gone, or soon will be. */
  readonly waitLimitMs: number;
}

const RETRY_AFTER = { headers: { 'retry-after': '1' } };

export class HashingQueue {
  readonly #limits: HashingLimits;
  /** The organisation that has waited longest for its turn comes first. No entry is empty. */
  readonly #waiting = new Map<OrganisationId, (() => void)[]>();
  #running = 0;

  constructor(limits: HashingLimits) {
    this.#limits = limits;
  }

  /**
   * Throws RATE_LIMITED when the organisation has too many waiting, UNAVAILABLE when its turn does not come in time.
   */
  async run<Result>(organisationId: OrganisationId, hash: () => Promise<Result>): Promise<Result> {
    await this.#enter(organisationId);
    try {
      return await hash();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  async #enter(organisationId: OrganisationId): Promise<void> {
    const others = this.#waiting.get(organisationId) ?? [];
    if (others.length >= this.#limits.waitingPerOrganisation) {
      throw new ServiceError('RATE_LIMITED', 'Your organisation sends passwords too fast. Try again.', RETRY_AFTER);
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#leave(organisationId, start);
        reject(new ServiceError('UNAVAILABLE', 'Too many passwords are being checked. Try again.', RETRY_AFTER));
      }, this.#limits.waitLimitMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#set(organisationId, [...others, start]);
      this.#startNext();
    });
  }

  #leave(organisationId: OrganisationId, start: () => void): void {
    const waiting = this.#waiting.get(organisationId) ?? [];
    this.#set(
      organisationId,
      waiting.filter((each) => each !== start),
    );
  }

  #startNext(): void {
    while (this.#running < this.#limits.atOnce) {
      const [turn] = this.#waiting;
      if (!turn) return;
      const [organisationId, [start, ...others]] = turn;
      // Set again, the organisation comes behind the others.
      this.#waiting.delete(organisationId);
      this.#set(organisationId, others);
      this.#running += 1;
      start?.();
    }
  }

  /** An organisation that is there keeps its turn. */
  #set(organisationId: OrganisationId, waiting: (() => void)[]): void {
    if (waiting.length > 0) this.#waiting.set(organisationId, waiting);
    else this.#waiting.delete(organisationId);
  }
}
