/**
 * Lets one large read run at a time, and a few wait for it: each holds megabytes while it runs. Further ones are refused
 * with 503 and `Retry-After`. Caller: snapshot-rows.ts.
 */
import { ServiceError } from '../../../workflows/shared/service-error.ts';

const RETRY_AFTER_SECONDS = 2;

export class ReadQueue {
  readonly #mostWaiting: number;
  #waiting = 0;
  /** Ends, without an error, when the read before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isReading = false;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  async run<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    if (this.#isReading && this.#waiting >= this.#mostWaiting) throw full();
    this.#waiting += this.#isReading ? 1 : 0;
    const isFirst = !this.#isReading;
    this.#isReading = true;
    const turn = isFirst ? read() : this.#last.then(read);
    const ended = turn.then(nothing, nothing).then(() => this.#next());
    this.#last = ended;
    return await turn;
  }

  #next(): void {
    if (this.#waiting === 0) this.#isReading = false;
    else this.#waiting -= 1;
  }
}

function nothing(): void {}

function full(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many days of the timetable are being read', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}
