/** Provides the stores of the timetable area on a separate database, a fixed clock, and receipts by one call. */
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { CodespaceStore } from '../../../activities/timetable/codespace-store.ts';
import { IMPORTS } from '../../../activities/timetable/import-model.ts';
import { type ImportRecord, ImportStore } from '../../../activities/timetable/import-store.ts';
import { PrivateDatasetStore } from '../../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../../activities/timetable/receipt-store.ts';
import { VersionStore } from '../../../activities/timetable/version-store.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';

export const DEM = 'dem' as Codespace;
export const OTHER = 'oth' as Codespace;
export const OWNER = 1 as OrganisationId;
export const DAY_MS = 86_400_000;

export class TestClock {
  #now = new Date('2026-01-02T03:04:05.678Z');
  readonly now = () => this.#now;
  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

export interface Stores {
  readonly connection: Connection;
  readonly clock: TestClock;
  readonly imports: ImportStore;
  readonly receipts: ReceiptStore;
  readonly versions: VersionStore;
  readonly privateDatasets: PrivateDatasetStore;
  readonly codespaces: CodespaceStore;
  /** Writes an accepted upload of these bytes. */
  receive(sha256: string, options?: { codespace?: Codespace; fileName?: string }): Promise<ImportRecord>;
  /** Receives, validates and publishes a version, with no step left. */
  publish(sha256: string, codespace?: Codespace): Promise<ImportRecord>;
}

export async function openStores(): Promise<Stores> {
  const mongo = await useMongo();
  const connection = await connectMongo(mongo.uri(`timetable_${randomUUID().slice(0, 8)}`));
  const clock = new TestClock();
  const codespaces = new CodespaceStore(connection, clock.now);
  const imports = new ImportStore(connection, { environment: 'dev', now: clock.now });
  const receipts = new ReceiptStore(connection, clock.now);
  const versions = new VersionStore(connection, clock.now);
  const privateDatasets = new PrivateDatasetStore(connection, clock.now);
  await Promise.all([imports.ensureIndexes(), codespaces.ensureIndexes()]);
  for (const codespace of [DEM, OTHER]) {
    await codespaces.put(codespace, {
      name: `Codespace ${codespace}`,
      xmlns: codespace.toUpperCase(),
      allowedXmlns: ['NSR'],
      profile: 'timetable',
      ownerOrganisationId: OWNER,
    });
  }
  const receive: Stores['receive'] = async (sha256, { codespace = DEM, fileName = 'a.zip' } = {}) => {
    const correlationId = randomUUID() as CorrelationId;
    await receipts.begin({ codespace, correlationId, organisationId: OWNER, clientId: 'test' });
    await receipts.markStored(codespace, correlationId, { fileName, sizeBytes: 10, sha256 });
    return await receipts.accept(codespace, correlationId);
  };
  const publish: Stores['publish'] = async (sha256, codespace = DEM) => {
    const { correlationId } = await receive(sha256, { codespace });
    await imports.recordAction(codespace, correlationId, 'VALIDATION', { state: 'OK' });
    await imports.publish(codespace, correlationId);
    await imports.complete(codespace, correlationId);
    return await imports.get(codespace, correlationId);
  };
  return { connection, clock, imports, receipts, versions, privateDatasets, codespaces, receive, publish };
}

/** The stored document, including the outbox. */
export async function rawImport(stores: Stores, correlationId: CorrelationId) {
  return await IMPORTS.open(stores.connection).findOne({ _id: correlationId });
}
