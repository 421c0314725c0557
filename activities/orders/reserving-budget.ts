/**
 * The time that one reserving request has. Afterwards its caller is answered, and may join the work with the same key; so
 * the old attempt must begin no further step: it would race with the new one. Caller: reserving.ts.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

export const BUDGET_MS = 5_000;
const RETRY_SECONDS = 1;

export interface BudgetOptions {
  readonly ms?: number | undefined;
  /** The caller has given a key, by which it may join the work. */
  readonly isJoinable: boolean;
}

export class Budget {
  readonly isJoinable: boolean;
  readonly #ms: number;
  readonly #end: number;

  constructor({ ms = BUDGET_MS, isJoinable }: BudgetOptions) {
    this.isJoinable = isJoinable;
    this.#ms = ms;
    this.#end = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Before each step with an effect. Throws UNAVAILABLE. */
  check(): void {
    if (this.isOver) throw tooSlow();
  }

  /** Throws UNAVAILABLE when the time is over first; what is running then ends by itself. */
  async within<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow()), this.#ms);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooSlow(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'It takes too long. Send the same request again with the same Idempotency-Key.',
    {
      headers: { 'retry-after': String(RETRY_SECONDS) },
    },
  );
}
