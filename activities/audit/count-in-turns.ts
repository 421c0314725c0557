/**
 * Counts the verified entries of the audit log again, to notice one that was removed or added since. A turn counts the
 * newest ones and one further part, so its cost does not grow with the log. Caller: the audit watch.
 */
import type { AuditLog } from './audit-log.ts';

/** Some 3 ms of the database. A million entries are counted once in 100 turns. */
const COUNTED_IN_TURN = 10_000;

export class CountInTurns {
  readonly #auditLog: Pick<AuditLog, 'count'>;
  readonly #most: number;
  /** The next part begins after this number. */
  #after = 0;

  constructor(auditLog: Pick<AuditLog, 'count'>, most = COUNTED_IN_TURN) {
    this.#auditLog = auditLog;
    this.#most = most;
  }

  /** Up to `last`. Counts the same part again until it is whole, so a fault is found in every later turn. */
  async findFaults(last: number): Promise<readonly string[]> {
    const newest = Math.max(0, last - this.#most);
    const faults = await this.#findFaults(newest, last);
    if (newest === 0) return faults;
    const to = Math.min(this.#after + this.#most, newest);
    const ofPart = await this.#findFaults(this.#after, to);
    if (ofPart.length === 0) this.#after = to === newest ? 0 : to;
    return [...ofPart, ...faults];
  }

  async #findFaults(after: number, to: number): Promise<readonly string[]> {
    const count = await this.#auditLog.count(after, to);
    return count === to - after ? [] : [`the numbers from ${after + 1} to ${to} have ${count} entries`];
  }
}
