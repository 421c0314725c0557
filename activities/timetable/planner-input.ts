/**
 * Input of a planner snapshot: the latest published dataset of each codespace and the stop register. Two inputs with
 * the same hash give the same timetable.
 *
 * Callers: the activities of the planner build, its sweep, the step PLANNER_BUILD. Reads only.
 */
import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { SNAPSHOT_FORMAT } from '../../planner/snapshot/snapshot-format.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { CodespaceStore } from './codespace-store.ts';
import { IMPORTS, type ImportCollection } from './import-model.ts';

/** A published version that the snapshot is made from. */
export interface PlannerSource {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
  readonly kind: 'timetable' | 'stop-register';
  readonly receivedAt: Date;
  readonly sha256: string;
}

export interface PlannerInput {
  /** Ordered by codespace; the register after the timetables. */
  readonly sources: readonly PlannerSource[];
  readonly hash: string;
}

/** Days outside are left out; `yyyy-MM-dd`, both included. */
export interface PlannerPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface PlannerInputSettings {
  readonly stopRegisterCodespace: Codespace;
  readonly period: PlannerPeriod;
}

/**
 * Raise it when the same datasets must give another snapshot, for instance after a change of the import. The rows of a
 * snapshot change only with it, so a change of their form raises it too.
 */
const IMPORT_REVISION = 8;

export class PlannerInputStore {
  readonly #imports: ImportCollection;
  readonly #codespaces: CodespaceStore;
  readonly #settings: PlannerInputSettings;

  constructor(connection: Connection, settings: PlannerInputSettings) {
    this.#imports = IMPORTS.open(connection);
    this.#codespaces = new CodespaceStore(connection);
    this.#settings = settings;
  }

  get period(): PlannerPeriod {
    return this.#settings.period;
  }

  /** Excludes codespaces that are being withdrawn. */
  async read(): Promise<PlannerInput> {
    const current = await this.#codespaces.listCurrent();
    const sources = (await this.#listLatest()).filter(({ codespace }) => current.has(codespace));
    return { sources, hash: hashOfInput(sources, this.#settings.period) };
  }

  /** The version that the codespace had published before this one. */
  async findOlder({ codespace, kind, receivedAt }: PlannerSource): Promise<PlannerSource | undefined> {
    const found = await this.#imports.findOne(
      {
        codespace,
        visible: true,
        receivedAt: { $lt: receivedAt },
        'actions.FILE_CLASSIFICATION.details.kind': kind === 'stop-register' ? kind : { $ne: 'stop-register' },
      },
      { sort: { receivedAt: -1 }, projection: { receivedAt: 1, sha256: 1 } },
    );
    if (!found?.receivedAt || found.sha256 === undefined) return undefined;
    return { codespace, correlationId: found._id, kind, receivedAt: found.receivedAt, sha256: found.sha256 };
  }

  async areVisible(versions: readonly PlannerSource[]): Promise<boolean> {
    const ids = versions.map(({ correlationId }) => correlationId);
    return (
      ids.length === 0 || (await this.#imports.countDocuments({ _id: { $in: ids }, visible: true })) === ids.length
    );
  }

  async #listLatest(): Promise<readonly PlannerSource[]> {
    const isRegister = { $eq: ['$actions.FILE_CLASSIFICATION.details.kind', 'stop-register'] };
    const found = this.#imports.aggregate<Omit<PlannerSource, 'kind'> & { readonly register: boolean }>([
      { $match: { visible: true } },
      { $sort: { codespace: 1, receivedAt: -1 } },
      {
        $group: {
          _id: { codespace: '$codespace', register: isRegister },
          correlationId: { $first: '$_id' },
          receivedAt: { $first: '$receivedAt' },
          sha256: { $first: '$sha256' },
        },
      },
      { $replaceWith: { $mergeObjects: ['$$ROOT', '$_id'] } },
      { $sort: { register: 1, codespace: 1 } },
    ]);
    return (await found.toArray()).flatMap(({ codespace, register, correlationId, receivedAt, sha256 }) => {
      if (register && codespace !== this.#settings.stopRegisterCodespace) return [];
      return [{ codespace, correlationId, kind: register ? 'stop-register' : 'timetable', receivedAt, sha256 }];
    });
  }

  /** Imports whose step waits for a build. */
  async listWaiting(limit: number): Promise<readonly DatasetImportInput[]> {
    const found = await this.#imports
      .find({ state: 'IN_PROGRESS', 'actions.PLANNER_BUILD.state': 'STARTED' }, { projection: { codespace: 1 } })
      .limit(limit)
      .toArray();
    return found.map(({ _id, codespace }) => ({ codespace, correlationId: _id }));
  }
}

/** The hash covers the sources in their order, and the settings that decide how they are read. */
export function hashOfInput(sources: readonly PlannerSource[], period: PlannerPeriod): string {
  const facts = sources.map(({ codespace, correlationId, kind, sha256 }) => [codespace, correlationId, kind, sha256]);
  const all = [SNAPSHOT_FORMAT, IMPORT_REVISION, period.from ?? null, period.to ?? null, facts];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}
