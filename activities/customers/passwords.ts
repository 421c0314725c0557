/**
 * Passwords of customers: scrypt with a salt each, its parameters kept with the hash so that they can be raised later.
 * Callers: the handlers that set and check a password. Never keeps, logs or returns one.
 *
 * One takes 32 MiB and a thread of the pool for some 50 ms: only a few are computed at once, and only so many may wait.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '../../workflows/shared/service-error.ts';

const LOG_N = 15;
const R = 8;
const P = 1;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;
/** Twice what the parameters need: scrypt refuses to use more. */
const MEMORY_FACTOR = 2 * 128;

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

export interface PasswordLimits {
  /** Number of computations at once. Two leave half of the thread pool to files and names. */
  readonly atOnce?: number;
  /** Beyond this number the answer is UNAVAILABLE, so that callers do not wait too long. */
  readonly waiting?: number;
}

export class Passwords {
  readonly #atOnce: number;
  readonly #waitingLimit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce = 2, waiting = 100 }: PasswordLimits = {}) {
    this.#atOnce = atOnce;
    this.#waitingLimit = waiting;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#derive(password, salt, HASH_BYTES, { ln: LOG_N, r: R, p: P });
    return `$scrypt$ln=${LOG_N},r=${R},p=${P}$${salt.toString('base64')}$${hash.toString('base64')}`;
  }

  /** Without a hash it takes as long and answers false, so the time does not reveal whether the customer exists. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const [, ln, r, p, salt, hash] = FORMAT.exec(stored ?? '') ?? [];
    if (salt === undefined || hash === undefined) {
      await this.#derive(password, Buffer.alloc(SALT_BYTES), HASH_BYTES, { ln: LOG_N, r: R, p: P });
      return false;
    }
    const expected = Buffer.from(hash, 'base64');
    const parameters = { ln: Number(ln), r: Number(r), p: Number(p) };
    const actual = await this.#derive(password, Buffer.from(salt, 'base64'), expected.length, parameters);
    return timingSafeEqual(actual, expected);
  }

  async #derive(password: string, salt: Uint8Array, length: number, { ln, r, p }: Parameters): Promise<Buffer> {
    await this.#take();
    try {
      const N = 2 ** ln;
      return await derive(password.normalize('NFC'), salt, length, { N, r, p, maxmem: MEMORY_FACTOR * N * r * p });
    } finally {
      this.#give();
    }
  }

  async #take(): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= this.#waitingLimit) {
      throw new ServiceError('UNAVAILABLE', 'Too many passwords are being checked; try again', {
        headers: { 'retry-after': '1' },
      });
    }
    // Resumes with the place of the one that has ended.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}

interface Parameters {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}
