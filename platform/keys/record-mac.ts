/**
 * Authenticates records that are stored in a database: HMAC-SHA-256 under a key that is not in it. A writer to the
 * database cannot make a record that the service accepts. Callers: stores of records that decide who may do what. It
 * does not detect a record that was replaced by an earlier version of itself, or removed.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

const KEY_BYTES = 32;
const DATE_MARK = '$date';

export class RecordMac {
  readonly #writingKey: Uint8Array;
  readonly #keys: readonly Uint8Array[];

  /**
   * `purpose` separates the records of one kind from those of another, and their keys from `ring` itself, which may have another
   * use.
   */
  constructor(ring: KeyRing, purpose: string) {
    const derive = (key: Uint8Array) => new Uint8Array(hkdfSync('sha256', key, '', `record-mac/${purpose}`, KEY_BYTES));
    const writingKey = ring.keys.get(ring.writingKeyId);
    if (!writingKey) throw new Error('The key ring has no key that writes');
    this.#writingKey = derive(writingKey);
    this.#keys = [...ring.keys.values()].map(derive);
  }

  /** `record`: all members that must not change, in JSON types and valid dates. Throws at other types. */
  make(record: unknown): string {
    return macOf(this.#writingKey, record).toString('base64url');
  }

  /** False without a MAC, when no key of the ring made it for this record, or when the record has another type of value. */
  isRight(record: unknown, mac: string | undefined): boolean {
    if (typeof mac !== 'string') return false;
    const given = Buffer.from(mac, 'base64url');
    try {
      return this.#keys.some((key) => {
        const right = macOf(key, record);
        return right.length === given.length && timingSafeEqual(right, given);
      });
    } catch {
      return false;
    }
  }
}

function macOf(key: Uint8Array, record: unknown): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(typed(record)))
    .digest();
}

/**
 * In JSON a date is the same as its text, and other types of a database can look like each other. So dates are marked, and what
 * JSON has no type for is refused. Members are ordered by name: the order in which they are stored does not matter.
 */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed);
  if (value instanceof Date) return { [DATE_MARK]: value.toISOString() };
  if (typeof value === 'object' && value !== null) return typedMembers(value);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('A record has a number without a value');
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') throw unknownType();
  return value;
}

function typedMembers(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || Object.hasOwn(value, DATE_MARK)) throw unknownType();
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, typed(member)]));
}

function unknownType(): TypeError {
  return new TypeError('A record has a value of a type that a MAC cannot cover');
}
