/**
 * Reads imports after their receipt, one by one and in lists.
 *
 * Callers: the handlers of the API, the sweep and the activities of the pipeline, mostly through `ImportStore`, which adds the
 * writes.
 */
import type { Connection, mongo } from 'mongoose';
import { PendingStarts } from '../../platform/aggregate/pending-starts.ts';
import {
  type SearchPage,
  type SearchRequest,
  type StoredField,
  toMongoFilter,
  toSearchPage,
} from '../../platform/mongo/search-filter.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { IMPORTS, type ImportCollection, type ImportDocument } from './import-model.ts';
import { type ImportRecord, requireRecord, toRecord } from './import-record.ts';

const SEARCH_FIELDS: Readonly<Record<string, StoredField>> = {
  correlationId: { member: '_id', toStored: (value) => String(value).toLowerCase() },
  importKey: { member: 'importKey' },
  state: { member: 'state' },
  fileName: { member: 'fileName' },
  date: { member: 'receivedAt', toStored: (value) => new Date(String(value)) },
};

export class ImportQueries {
  protected readonly imports: ImportCollection;
  protected readonly pending: PendingStarts<ImportDocument>;

  constructor(connection: Connection) {
    this.imports = IMPORTS.open(connection);
    this.pending = new PendingStarts(this.imports, { codespace: 1 });
  }

  async find(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord | undefined> {
    return toRecord(await this.imports.findOne({ _id: correlationId, codespace }));
  }

  async get(codespace: Codespace, correlationId: CorrelationId): Promise<ImportRecord> {
    return requireRecord(await this.find(codespace, correlationId));
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
  async listPendingStarts(before: Date, limit: number): Promise<readonly DatasetImportInput[]> {
    return (await this.pending.list(before, limit)).map(({ _id, codespace }) => ({ codespace, correlationId: _id }));
  }

  /** Imports that have not ended, received before `before`, oldest first. A workflow should be running for each. */
  async *eachInProgress(before: Date): AsyncGenerator<DatasetImportInput> {
    const unended = { state: 'IN_PROGRESS', receivedAt: { $lt: before } } as const;
    const found = this.imports.find(unended, { projection: { codespace: 1 } }).sort({ receivedAt: 1 });
    for await (const { _id, codespace } of found) yield { codespace, correlationId: _id };
  }

  /** Imports of the codespace that all terms select, in the order of their receipt as `sortBy` says. */
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
