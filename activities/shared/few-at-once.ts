/** Limits how much costly work runs at once in this process, for all callers together. */
import { ServiceError } from '../../workflows/shared/service-error.ts';

export interface FewAtOnceLimits {
  readonly atOnce: number;
  /** Work that may wait for its turn; without it, any. More is refused. */
  readonly waiting?: number;
}

export class FewAtOnce {
  readonly #limits: Required<FewAtOnceLimits>;
  /** Longest waiting first. */
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce, waiting = Number.POSITIVE_INFINITY }: FewAtOnceLimits) {
    this.#limits = { atOnce, waiting };
  }

  /** Throws UNAVAILABLE when too much waits already. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The next takes this place: newcomers do not overtake it.
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#limits.atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#limits.waiting) throw tooMany();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

function tooMany(): ServiceError {
  const headers = { 'Retry-After': '2' };
  return new ServiceError('UNAVAILABLE', 'Too many ask for this at the same time. Try again.', { headers });
}
