/**
 * Verifies the new entries of the audit log and anchors its head, again and again. A fault is logged and shown by a
 * metric; it is never repaired. Caller: the API.
 */
import { Gauge, type Registry } from 'prom-client';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { Logger } from '../../platform/log.ts';
import type { AuditAnchors, ListedAnchors } from './audit-anchors.ts';
import { EMPTY_LOG } from './audit-entry.ts';
import type { AuditLog } from './audit-log.ts';
import { CountInTurns } from './count-in-turns.ts';
import { type Verification, verifyChain } from './verify-chain.ts';

export interface AuditWatchOptions {
  readonly auditLog: Pick<AuditLog, 'read' | 'count'>;
  readonly anchors: Pick<AuditAnchors, 'keep' | 'list'>;
  readonly keys: KeyRing;
  readonly log: Logger;
  readonly registry: Registry;
  readonly now?: () => number;
  /** How many earlier entries a turn counts; the default fits an API process. */
  readonly countedInTurn?: number;
}

const NO_ANCHORS: ListedAnchors = { heads: [], faults: [] };

export class AuditWatch {
  readonly #options: AuditWatchOptions;
  readonly #broken: Gauge;
  readonly #earlier: CountInTurns;
  /** The chain is right up to its head. */
  #verified: Pick<Verification, 'head' | 'before'> = { head: EMPTY_LOG, before: EMPTY_LOG };
  #isFirstTurn = true;
  readonly #now: () => number;
  #anchoredAt: number;

  constructor(options: AuditWatchOptions) {
    this.#options = options;
    this.#earlier = new CountInTurns(options.auditLog, options.countedInTurn);
    this.#broken = new Gauge({
      name: 'audit_log_broken',
      help: '1 when the audit log is not what it was: changed, cut or without its keys',
      registers: [options.registry],
    });
    this.#broken.set(0);
    const now = options.now ?? Date.now;
    this.#now = now;
    this.#anchoredAt = now();
    const readAge = () => (now() - this.#anchoredAt) / 1_000;
    new Gauge({
      name: 'audit_anchor_age_seconds',
      help: 'Time since the audit log was last verified and its head anchored, or since the start',
      registers: [options.registry],
      collect() {
        this.set(readAge());
      },
    });
  }

  /**
   * The first turn of a process verifies the whole log against all anchors. The others verify the entries since, and
   * that the last verified one is still there. They also count earlier entries, a part in each turn: none was removed
   * or added.
   */
  async anchor(): Promise<void> {
    const { auditLog, anchors, keys, log } = this.#options;
    const { head: last, before } = this.#verified;
    const { heads: kept, faults: ofAnchors } = this.#isFirstTurn ? await anchors.list() : NO_ANCHORS;
    const expected = last.sequence > 0 ? [last] : kept;
    const found = await verifyChain(auditLog.read(before.sequence), keys, expected, before);
    const { head } = found;
    const faults = [...ofAnchors, ...(await this.#earlier.findFaults(before.sequence)), ...found.faults];
    this.#broken.set(faults.length === 0 ? 0 : 1);
    if (faults.length > 0) {
      log.error({ audit: head, faults }, 'the audit log is broken: run npm run audit -- verify');
      return;
    }
    if (head.sequence > last.sequence && !kept.some(({ hash }) => hash === head.hash)) await anchors.keep(head);
    if (head.sequence > last.sequence) log.info({ audit: head }, 'the head of the audit log');
    this.#verified = found;
    this.#isFirstTurn = false;
    this.#anchoredAt = this.#now();
  }
}
