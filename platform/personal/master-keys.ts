/**
 * Notes which master keys are in use, finds those that no data key needs any more, and withdraws them. An older
 * back-up, the oplog or a freed block of the disk still holds wrapped copies of the keys of erased subjects. All become
 * unreadable when the operator destroys the master key. Callers: a worker, at intervals; processes at their start.
 */
import type { Connection } from 'mongoose';
import { ConfigError } from '../config.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Logger } from '../log.ts';
import { MASTER_KEYS, SUBJECT_KEYS } from './key-document.ts';

export interface MasterKeysOptions {
  /** Connection to the keys database. */
  readonly connection: Connection;
  readonly masterKeys: KeyRing;
  /** Name of the setting, for messages. */
  readonly variable: string;
  readonly log: Logger;
  /** Calls `act` and records it, as in an audit log. */
  readonly record?: RecordKeyChange | undefined;
  readonly now?: () => Date;
}

/** `use`: it begins to wrap data keys, or does so again. */
export type RecordKeyChange = (
  verb: 'use' | 'withdraw',
  masterKeyId: string,
  act: () => Promise<void>,
) => Promise<void>;

/** Ids. `unused`: of no data key, and not withdrawn yet. */
export interface MasterKeyStates {
  readonly inUse: readonly string[];
  readonly unused: readonly string[];
  readonly withdrawn: readonly string[];
}

const DAY_MS = 86_400_000;

export class MasterKeys {
  readonly #options: MasterKeysOptions;
  readonly #records;
  readonly #record: RecordKeyChange;
  readonly #now: () => Date;
  #reported = '';

  constructor(options: MasterKeysOptions) {
    this.#options = options;
    this.#records = MASTER_KEYS.open(options.connection);
    this.#record = options.record ?? (async (_verb, _id, act) => await act());
    this.#now = options.now ?? (() => new Date());
  }

  /** Throws ConfigError when the writing key was withdrawn. Warns of entries that are no longer needed. */
  async check(): Promise<void> {
    const { masterKeys, variable, log } = this.#options;
    const configured = [...masterKeys.keys.keys()];
    const withdrawn = await this.#records.find({ _id: { $in: configured }, withdrawnAt: { $exists: true } }).toArray();
    for (const { _id: masterKeyId, withdrawnAt } of withdrawn) {
      if (masterKeyId === masterKeys.writingKeyId) {
        throw new ConfigError([`${variable}: the first key, ${masterKeyId}, was withdrawn. Put a new key first`]);
      }
      log.warn(
        { masterKeyId, withdrawnAt },
        `a master key is no longer needed: remove it from ${variable} and destroy it`,
      );
    }
  }

  /** Call before data keys are wrapped again: a key is recorded before the caller uses it. Safe to repeat. */
  async takeIntoUse(): Promise<void> {
    await this.#use(await this.#listUsed());
  }

  /** Call after data keys were wrapped again. Withdraws keys that were unused for `keptDays`. Safe to repeat. */
  async review(keptDays: number): Promise<MasterKeyStates> {
    const { masterKeys } = this.#options;
    const used = await this.#listUsed();
    const recorded = (await this.#records.find().toArray()).map(({ _id }) => _id);
    const idle = [...new Set([...recorded, ...masterKeys.keys.keys()])].filter((id) => !used.has(id));
    await this.#use(used);
    await this.#recordIdle(idle);
    await this.#withdraw(keptDays);
    const withdrawn = await this.#records.find({ withdrawnAt: { $exists: true } }).toArray();
    const gone = new Set(withdrawn.map(({ _id }) => _id));
    const states = { inUse: [...used].sort(), unused: idle.filter((id) => !gone.has(id)), withdrawn: [...gone].sort() };
    this.#report(states);
    return states;
  }

  async #listUsed(): Promise<ReadonlySet<string>> {
    const { connection, masterKeys } = this.#options;
    const wrapping = await SUBJECT_KEYS.open(connection).distinct('masterKeyId');
    return new Set([...wrapping, masterKeys.writingKeyId]);
  }

  /** A key may be needed again: data keys were restored, or a process still writes with it. */
  async #use(used: ReadonlySet<string>): Promise<void> {
    const known = await this.#records.find({ usedSince: { $exists: true } }, { projection: { _id: 1 } }).toArray();
    const noted = new Set(known.map(({ _id }) => _id));
    const change = { $set: { usedSince: this.#now() }, $unset: { unusedSince: '', withdrawnAt: '' } } as const;
    for (const _id of [...used].filter((id) => !noted.has(id))) {
      await this.#record('use', _id, async () => {
        await this.#records.updateOne({ _id }, change, { upsert: true });
      });
    }
  }

  async #recordIdle(idle: readonly string[]): Promise<void> {
    const since = { $set: { unusedSince: { $ifNull: ['$unusedSince', this.#now()] } } };
    for (const _id of idle) await this.#records.updateOne({ _id }, [since, { $unset: 'usedSince' }], { upsert: true });
  }

  async #withdraw(keptDays: number): Promise<void> {
    const { log, variable } = this.#options;
    const now = this.#now();
    const before = new Date(now.getTime() - keptDays * DAY_MS);
    const due = { unusedSince: { $lte: before }, withdrawnAt: { $exists: false } };
    for (const { _id } of await this.#records.find(due).toArray()) {
      await this.#record('withdraw', _id, async () => {
        const { modifiedCount } = await this.#records.updateOne({ _id, ...due }, { $set: { withdrawnAt: now } });
        if (modifiedCount === 1)
          log.warn({ masterKeyId: _id }, `withdrew a master key: remove it from ${variable} and destroy it`);
      });
    }
  }

  #report(states: MasterKeyStates): void {
    const { log, masterKeys, variable } = this.#options;
    const text = JSON.stringify(states);
    if (text === this.#reported) return;
    this.#reported = text;
    log.info({ ...states }, 'master keys');
    const missing = states.inUse.filter((id) => !masterKeys.keys.has(id));
    if (missing.length > 0) log.error({ missing }, `data keys need master keys that ${variable} does not have`);
  }
}
