/**
 * Passwords of customers: scrypt with a salt each. The parameters are stored with the hash, so they can be raised. An
 * older hash is verified with its own parameters and replaced at the next right log-in. Callers: the handlers that set
 * and check a password. Never keeps, logs or returns a password.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { OrganisationId } from '../../workflows/shared/ids.ts';
import { HashingQueue } from './hashing-queue.ts';

/** Parameters of scrypt: N = 2^ln. */
export interface HashCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** As OWASP asks: 128 MiB, and about a third of a second. */
const COST: HashCost = { ln: 17, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const NO_SALT = Buffer.alloc(SALT_BYTES);
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;
/** Two leave half of the standard thread pool to files and names. */
const AT_ONCE = 2;
const WAITING_PER_ORGANISATION = 50;
/** A log-in holds its place among the failures for 30 seconds, which must be enough to wait and to be checked. */
const WAIT_LIMIT_MS = 15_000;

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

export interface PasswordOptions {
  /** Hashes at once, of all organisations. Each takes a thread and 128 MiB. */
  readonly atOnce?: number;
  /** Above it, this organisation is answered RATE_LIMITED. */
  readonly waitingPerOrganisation?: number;
  /** Cheaper in tests. */
  readonly cost?: HashCost;
}

export class Passwords {
  readonly #cost: HashCost;
  readonly #queue: HashingQueue;

  constructor(options: PasswordOptions = {}) {
    const { atOnce = AT_ONCE, waitingPerOrganisation = WAITING_PER_ORGANISATION, cost = COST } = options;
    this.#cost = cost;
    this.#queue = new HashingQueue({ atOnce, waitingPerOrganisation, waitLimitMs: WAIT_LIMIT_MS });
  }

  /**
   * `organisationId` is the caller's: its requests wait for each other. Throws RATE_LIMITED when too many of them wait,
   * UNAVAILABLE when the turn does not come in time.
   */
  async hash(organisationId: OrganisationId, password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const { ln, r, p } = this.#cost;
    const hash = await this.#queue.run(organisationId, () => scryptOf(password, salt, HASH_BYTES, this.#cost));
    return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
  }

  /**
   * Without a hash it takes as long and answers false, so the time does not reveal whether the customer exists. Throws as
   * {@link hash} does.
   */
  async verify(organisationId: OrganisationId, password: string, stored: string | undefined): Promise<boolean> {
    const { cost, salt, hash } = parse(stored) ?? { cost: this.#cost, salt: NO_SALT, hash: undefined };
    const actual = await this.#queue.run(organisationId, async () => {
      const made = await scryptOf(password, salt, hash?.length ?? HASH_BYTES, cost);
      await this.#makeUpFor(cost);
      return made;
    });
    return hash !== undefined && timingSafeEqual(actual, hash);
  }

  /** Whether the hash was made with the parameters of today. */
  isCurrent(stored: string): boolean {
    const cost = parse(stored)?.cost;
    return cost?.ln === this.#cost.ln && cost.r === this.#cost.r && cost.p === this.#cost.p;
  }

  /** An older hash costs less. With 2^ln + 2^ln + 2^(ln+1) + … it costs as much as one of today. */
  async #makeUpFor({ ln }: HashCost): Promise<void> {
    for (let more = ln; more < this.#cost.ln; more += 1) {
      await scryptOf('', NO_SALT, HASH_BYTES, { ...this.#cost, ln: more });
    }
  }
}

async function scryptOf(password: string, salt: Uint8Array, length: number, { ln, r, p }: HashCost): Promise<Buffer> {
  const memoryBytes = 128 * r * (2 ** ln + p);
  const options = { N: 2 ** ln, r, p, maxmem: 2 * memoryBytes };
  return await derive(password.normalize('NFC'), salt, length, options);
}

/** Undefined when it is no hash of ours. */
function parse(stored = '') {
  const [, ln, r, p, salt, hash] = FORMAT.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  const cost: HashCost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}
