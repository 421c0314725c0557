/**
 * What is asked about imports after their receipt, one by one and in lists. Reads alone.
 *
 * Callers: the handlers of the API, the sweep, the activities of the pipeline, mostly through `ImportStore`, which adds the writes.
 */
import type { Connection, mongo } from 'mongoose';
import {
  type SearchPage,
  type SearchRequest,
  type StoredField,
  toMongoFilter,
  toSearchPage,
} from '../../platform/mongo/search-filter.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { IMPORTS, type ImportCollection, type ImportDocument, type ImportRecord, toRecord } from './import-model.ts';

export interface PendingStart {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
  readonly receivedAt: Date;
}

const SEARCH_FIELDS: Readonly<Record<string, StoredField>> = {
  correlationId: { member: '_id', toStored: (value) => String(value).toLowerCase() },
  importKey: { member: 'importKey' },
  state: { member: 'state' },
  fileName: { member: 'fileName' },
  date: { member: 'receivedAt', toStored: (value) => new Date(String(value)) },
};

export class ImportQueries {
  protected readonly imports: ImportCollection;

  constructor(connection: Connection) {
    this.imports = IMPORTS.open(connection);
  }

  async find(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord | undefined> {
    return toRecord(await this.imports.findOne({ _id: correlationId, codespace }));
  }

  async get(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord> {
    const found = await this.find(codespace, correlationId);
    if (!found) throw new ServiceError('NOT_FOUND', 'There is no such import');
    return found;
  }

  /** Accepted imports received before `before` whose validation ended, newest first. */
  async listValidatedBefore(codespace: Codespace, before: Date, limit: number): Promise<readonly ImportRecord[]> {
    const found = await this.imports
      .find({
        codespace,
        receivedAt: { $lt: before },
        purgedAt: { $exists: false },
        'actions.VALIDATION.state': { $in: ['OK', 'FAILED'] },
      })
      .sort({ receivedAt: -1 })
      .limit(limit)
      .toArray();
    return found.flatMap((document) => toRecord(document) ?? []);
  }

  /** Imports whose workflow is not known to be started, received before `before`, oldest first. */
  async listPendingStarts(before: Date, limit: number): Promise<readonly PendingStart[]> {
    const found = await this.imports
      .find({ pendingStart: true, state: 'IN_PROGRESS', receivedAt: { $lt: before } })
      .sort({ receivedAt: 1 })
      .limit(limit)
      .toArray();
    return found.flatMap((document) => toRecord(document) ?? []);
  }

  /** Imports that have not ended, received before `before`, oldest first; a workflow should be running for each. */
  async *eachInProgress(before: Date): AsyncGenerator<PendingStart> {
    const found = this.imports.find({ state: 'IN_PROGRESS', receivedAt: { $lt: before } }).sort({ receivedAt: 1 });
    for await (const document of found) {
      const record = toRecord(document);
      if (record) yield record;
    }
  }

  /** Imports of the codespace that the terms select; newest first unless ordered otherwise. */
  async search(codespace: Codespace, search: SearchRequest): Promise<SearchPage<ImportRecord>> {
    const { page, perPage, sortBy } = search;
    const filter: mongo.Filter<ImportDocument> = {
      $and: [{ codespace, receivedAt: { $exists: true } }, toMongoFilter(search.terms, SEARCH_FIELDS)],
    };
    const [totalItems, documents] = await Promise.all([
      this.imports.countDocuments(filter),
      this.imports
        .find(filter)
        .sort({ receivedAt: sortBy === 'asc' ? 1 : -1 })
        .skip((page - 1) * perPage)
        .limit(perPage)
        .toArray(),
    ]);
    return toSearchPage(
      search,
      documents.flatMap((document) => toRecord(document) ?? []),
      totalItems,
    );
  }
}
