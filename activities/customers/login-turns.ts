/**
 * Log-ins of one subject take turns within a process, so that waiting ones cost the database nothing. Caller: the
 * store of failed log-ins. Other processes have turns of their own: the store's places limit what all of them try.
 */
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** For each turn. Above it, a log-in is refused at once. */
const WAITING_PER_TURN = 10;
/** With the wait for its hash a log-in stays below the lifetime of its place. */
const WAIT_LIMIT_MS = 10_000;

const RETRY_AFTER = { headers: { 'retry-after': '1' } };

interface Line {
  inTurn: number;
  /** In the order of their arrival. */
  readonly waiting: Set<() => void>;
}

export class LoginTurns {
  readonly #waitLimitMs: number;
  /** Subjects with log-ins in progress. */
  readonly #lines = new Map<string, Line>();

  constructor(waitLimitMs = WAIT_LIMIT_MS) {
    this.#waitLimitMs = waitLimitMs;
  }

  /**
   * Answers the function that ends the turn. Throws RATE_LIMITED when too many wait, UNAVAILABLE when the turn does not
   * come in time.
   */
  async take(subject: string, atOnce: number): Promise<() => void> {
    const line = this.#lines.get(subject) ?? { inTurn: 0, waiting: new Set() };
    this.#lines.set(subject, line);
    if (line.inTurn < atOnce) line.inTurn += 1;
    else if (line.waiting.size >= atOnce * WAITING_PER_TURN) throw tooMany();
    else await this.#wait(line);
    return () => this.#end(subject, line);
  }

  async #wait({ waiting }: Line): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(tooSlow());
      }, this.#waitLimitMs);
      waiting.add(start);
    });
  }

  #end(subject: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      // The turn goes on to the next one.
      line.waiting.delete(next);
      next();
      return;
    }
    line.inTurn -= 1;
    if (line.inTurn === 0) this.#lines.delete(subject);
  }
}

function tooMany(): ServiceError {
  return new ServiceError('RATE_LIMITED', 'Too many log-ins at once. Try again.', RETRY_AFTER);
}

function tooSlow(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'Too many are logging in at once; try again', RETRY_AFTER);
}
