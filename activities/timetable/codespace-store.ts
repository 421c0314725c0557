/**
 * Codespaces: which organisation may publish timetable data under which prefix.
 *
 * Callers: the codespace and upload handlers (API), the pipeline (foreign prefixes, severity profile), the sweep.
 * A withdrawn codespace is absent for callers. Its document stays until its versions are withdrawn too.
 */
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { isDuplicateKey } from '../../platform/mongo/mongo.ts';
import type { Codespace, OrganisationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** Selects the rules and their severities. */
export type CodespaceProfile = 'timetable' | 'flex' | 'sweden';

export interface CodespaceFields {
  readonly name: string;
  /** Prefix of the ids that this codespace owns: its upper-case form. */
  readonly xmlns: string;
  /** Foreign prefixes that its ids and references may use. */
  readonly allowedXmlns: readonly string[];
  readonly profile: CodespaceProfile;
  /** Ids of the authorities that the organisation register grants it; absent: not checked. */
  readonly authorities?: readonly string[];
  readonly ownerOrganisationId: OrganisationId;
}

export interface CodespaceRecord extends CodespaceFields {
  readonly codespace: Codespace;
}

interface CodespaceDocument extends CodespaceFields {
  readonly _id: Codespace;
  readonly withdrawnAt?: Date;
}

export interface Withdrawal {
  readonly codespace: Codespace;
  readonly withdrawnAt: Date;
}

export const CODESPACES = new CollectionDefinition<CodespaceDocument>('timetable_codespaces', [
  { name: 'xmlns', key: { xmlns: 1 }, unique: true },
]);

export class CodespaceStore {
  readonly #connection: Connection;
  readonly #codespaces: mongo.Collection<CodespaceDocument>;
  readonly #now: () => Date;

  constructor(connection: Connection, now: () => Date = () => new Date()) {
    this.#connection = connection;
    this.#codespaces = CODESPACES.open(connection);
    this.#now = now;
  }

  async ensureIndexes(): Promise<void> {
    await CODESPACES.ensureIndexes(this.#connection);
  }

  async find(codespace: Codespace): Promise<CodespaceRecord | undefined> {
    const found = await this.#codespaces.findOne({ _id: codespace, withdrawnAt: { $exists: false } });
    return found ? toRecord(found) : undefined;
  }

  async get(codespace: Codespace): Promise<CodespaceRecord> {
    const found = await this.find(codespace);
    if (!found) throw new ServiceError('NOT_FOUND', 'There is no such codespace');
    return found;
  }

  /** Names of all codespaces that are not being withdrawn. */
  async listCurrent(): Promise<ReadonlySet<Codespace>> {
    const found = this.#codespaces.find({ withdrawnAt: { $exists: false } }, { projection: { _id: 1 } });
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  /** Creates or replaces. UNAVAILABLE while an earlier withdrawal is not finished: finish it, then put the codespace again. */
  async put(codespace: Codespace, fields: CodespaceFields): Promise<{ record: CodespaceRecord; created: boolean }> {
    const { name, xmlns, allowedXmlns, profile, authorities, ownerOrganisationId } = fields;
    const granted = authorities && { authorities: [...authorities] };
    const value = { name, xmlns, allowedXmlns: [...allowedXmlns], profile, ...granted, ownerOrganisationId };
    const change: mongo.UpdateFilter<CodespaceDocument> = {
      $set: value,
      ...(granted === undefined && { $unset: { authorities: 1 } }),
    };
    for (;;) {
      try {
        const written = await this.#codespaces.updateOne({ _id: codespace, withdrawnAt: { $exists: false } }, change, {
          upsert: true,
        });
        return { record: { codespace, ...value }, created: written.upsertedCount > 0 };
      } catch (error) {
        if (isDuplicateKey(error, 'xmlns')) {
          throw new ServiceError('DUPLICATE_CODESPACE', 'Another codespace has this xmlns', { cause: error });
        }
        if (!isDuplicateKey(error, '_id_')) throw error;
        if (await this.findWithdrawal(codespace)) {
          throw new ServiceError('UNAVAILABLE', 'The codespace is being withdrawn', {
            headers: { 'retry-after': '1' },
          });
        }
        // Another process has created it: the next try finds it.
      }
    }
  }

  /** The unfinished withdrawal of this codespace. */
  async findWithdrawal(codespace: Codespace): Promise<Withdrawal | undefined> {
    return (await this.#withdrawals({ _id: codespace }))[0];
  }

  /** Makes the codespace absent for callers. Undefined when it was absent already. */
  async withdraw(codespace: Codespace): Promise<Withdrawal | undefined> {
    const withdrawnAt = this.#now();
    const changed = await this.#codespaces.updateOne(
      { _id: codespace, withdrawnAt: { $exists: false } },
      { $set: { withdrawnAt } },
    );
    return changed.modifiedCount > 0 ? { codespace, withdrawnAt } : undefined;
  }

  /** Withdrawn codespaces whose versions may still be visible. */
  async listWithdrawals(): Promise<readonly Withdrawal[]> {
    return await this.#withdrawals({});
  }

  async #withdrawals(filter: { readonly _id?: Codespace }): Promise<readonly Withdrawal[]> {
    const found = this.#codespaces.find({ ...filter, withdrawnAt: { $exists: true } });
    return (await found.toArray()).flatMap(({ _id, withdrawnAt }) =>
      withdrawnAt ? [{ codespace: _id, withdrawnAt }] : [],
    );
  }

  /** The last step of a withdrawal; after it the codespace may be put again. */
  async forget(withdrawal: Withdrawal): Promise<void> {
    await this.#codespaces.deleteOne({ _id: withdrawal.codespace, withdrawnAt: withdrawal.withdrawnAt });
  }
}

function toRecord(document: CodespaceDocument): CodespaceRecord {
  const { _id, name, xmlns, allowedXmlns, profile, authorities, ownerOrganisationId } = document;
  return {
    codespace: _id,
    name,
    xmlns,
    allowedXmlns,
    profile,
    ...(authorities && { authorities }),
    ownerOrganisationId,
  };
}
