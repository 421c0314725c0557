/**
 * Runs the import pipeline without HTTP. Database, object store and Temporal are real, the worker processes run as
 * deployed, and receipts equal those of the upload handler.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import { startDatasetImport } from '../../activities/timetable/dataset-import-start.ts';
import { type ImportRecord, ImportStore } from '../../activities/timetable/import-store.ts';
import { uploadKey } from '../../activities/timetable/object-keys.ts';
import { PrivateDatasetStore } from '../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { VersionStore } from '../../activities/timetable/version-store.ts';
import { type Child, Children } from '../../dev/stack/children.ts';
import { checkProcess, type ProcessName, type ProcessSetting, processOptions } from '../../dev/stack/processes.ts';
import { createServiceSecrets } from '../../dev/stack/secrets.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import type { Environment } from '../../platform/config.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';
import { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../workflows/shared/ids.ts';
import { type DatasetImportInput, datasetImportWorkflowId } from '../../workflows/timetable/messages.ts';
import { useBundleFile } from './bundle.ts';
import { temporaryDirectory } from './folders.ts';
import { ownPort } from './own-port.ts';
import { useMongo, useObjectStore, useTemporal } from './stack.ts';
import { until } from './until.ts';

const START_TIMEOUT_MS = 120_000;
const STOP_GRACE_MS = 10_000;
const IMPORT_TIMEOUT_MS = 120_000;

export interface StartedWorker {
  readonly child: Child;
  readonly url: string;
  /** Kills the process at once, as a power cut would. */
  kill(): Promise<void>;
}

export class Pipeline {
  readonly imports: ImportStore;
  readonly versions: VersionStore;
  readonly privateDatasets: PrivateDatasetStore;
  readonly codespaces: CodespaceStore;
  readonly receipts: ReceiptStore;
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
  readonly #mongo: Connection;
  /** The settings of its workers. */
  readonly setting: ProcessSetting;
  readonly #children = new Children();
  readonly #logs = temporaryDirectory('pipeline-logs');

  private constructor(mongo: Connection, objects: ObjectStore, setting: ProcessSetting) {
    this.#mongo = mongo;
    this.setting = setting;
    this.objects = objects;
    this.imports = new ImportStore(mongo, { environment: 'dev' });
    this.versions = new VersionStore(mongo);
    this.privateDatasets = new PrivateDatasetStore(mongo);
    this.codespaces = new CodespaceStore(mongo);
    this.receipts = new ReceiptStore(mongo);
    const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = setting.servers;
    const PAYLOAD_KEYS = setting.secrets.payloadKeys;
    this.temporal = new TemporalClient({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS });
  }

  /** Opens a pipeline without workers. Only one pipeline at a time may use the queues. */
  static async open(env: Environment = {}): Promise<Pipeline> {
    const [mongo, store, temporal] = await Promise.all([useMongo(), useObjectStore(), useTemporal()]);
    const database = `pipeline_${randomUUID().slice(0, 8)}`;
    const uri = mongo.uri(database);
    const connection = await connectMongo(uri);
    const directory = temporaryDirectory('pipeline');
    const access = { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' };
    const pipeline = new Pipeline(connection, await ObjectStore.open(store), {
      servers: { MONGODB_URI: uri, ...store, ...access },
      customerKeysUri: mongo.uri(`${database}_keys`),
      secrets: createServiceSecrets(),
      audience: 'https://pipeline.test',
      url: () => 'http://127.0.0.1:9',
      workflowBundle: await useBundleFile(),
      plannerBundle: join(directory, 'planner-process'),
      plannerCache: join(directory, 'planner'),
      // Imports would wait for the planner's worker, which does not run here. Workers of other tests on the same queues
      // have no version.
      overrides: { PLANNER: 'off', WORKER_VERSIONING: 'off', WORKER_GRACE_MS: '3000', WORKER_FORCE_MS: '6000', ...env },
    });
    await pipeline.imports.ensureIndexes();
    await pipeline.codespaces.ensureIndexes();
    return pipeline;
  }

  async startWorker(name: ProcessName, env: Environment = {}): Promise<StartedWorker> {
    const port = await ownPort();
    const overrides = { ...this.setting.overrides, ...env };
    const child = this.#children.start({
      ...processOptions(name, { ...this.setting, overrides }, port),
      logFile: join(this.#logs, `${name}-${port}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(child, () => checkProcess(name, url), START_TIMEOUT_MS);
    const kill = async () => {
      process.kill(child.pid, 'SIGKILL');
      await child.ended;
    };
    return { child, url, kill };
  }

  async putCodespace(codespace: string): Promise<void> {
    const xmlns = codespace.toUpperCase();
    const ownerOrganisationId = 1 as OrganisationId;
    const fields = {
      name: xmlns,
      xmlns,
      allowedXmlns: ['NSR', 'PEN'],
      profile: 'timetable',
      ownerOrganisationId,
    } as const;
    await this.codespaces.put(codespace as Codespace, fields);
  }

  /** Writes the receipt of an upload without starting its workflow. */
  async receive(codespace: string, archive: Uint8Array, fileName = 'dataset.zip'): Promise<DatasetImportInput> {
    const input = { codespace: codespace as Codespace, correlationId: randomUUID() as CorrelationId };
    await this.receipts.begin({ ...input, organisationId: 1 as OrganisationId, clientId: 'test' });
    await this.objects.put(uploadKey(input.codespace, input.correlationId), archive, 'application/zip');
    const sha256 = createHash('sha256').update(archive).digest('hex');
    await this.receipts.markStored(input.codespace, input.correlationId, {
      fileName,
      sizeBytes: archive.length,
      sha256,
    });
    await this.receipts.accept(input.codespace, input.correlationId);
    return input;
  }

  async start(input: DatasetImportInput): Promise<void> {
    await startDatasetImport(this.temporal, input);
    await this.imports.clearPendingStart(input.codespace, input.correlationId);
  }

  /** Waits until the import is OK or FAILED. */
  async ended({ codespace, correlationId }: DatasetImportInput, timeoutMs = IMPORT_TIMEOUT_MS): Promise<ImportRecord> {
    const read = () => this.imports.get(codespace, correlationId);
    await until(async () => (await read()).state !== 'IN_PROGRESS', { timeoutMs, what: 'the end of the import' });
    return await read();
  }

  /** Uploads and waits for the end. */
  async import(codespace: string, archive: Uint8Array, fileName?: string): Promise<ImportRecord> {
    const input = await this.receive(codespace, archive, fileName);
    await this.start(input);
    return await this.ended(input);
  }

  /** Changes the private dataset as if it had been made on that day. */
  async movePrivateDatasetTo({ correlationId }: DatasetImportInput, day: string): Promise<void> {
    await this.#mongo
      .collection<{ _id: string }>('timetable_imports')
      .updateOne({ _id: correlationId }, { $set: { 'privateDataset.day': day } });
  }

  workflow({ codespace, correlationId }: DatasetImportInput) {
    return this.temporal.client.workflow.getHandle(datasetImportWorkflowId(codespace, correlationId));
  }

  async close(): Promise<void> {
    await this.#children.stopAll(STOP_GRACE_MS);
    await this.temporal.close();
    this.objects.close();
    await this.#mongo.close();
  }
}
