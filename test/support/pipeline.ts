/**
 * The import pipeline without its HTTP front: real database, object store and Temporal, the worker processes as they are
 * deployed, and receipts written as the upload handler writes them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { connectMongo } from '../../activities/shared/mongo.ts';
import { ObjectStore } from '../../activities/shared/object-store.ts';
import { TemporalClient } from '../../activities/shared/temporal.ts';
import { CodespaceStore } from '../../activities/timetable/codespace-store.ts';
import { startDatasetImport } from '../../activities/timetable/dataset-import-start.ts';
import { type ImportRecord, ImportStore } from '../../activities/timetable/import-store.ts';
import { uploadKey } from '../../activities/timetable/object-keys.ts';
import { PrivateDatasetStore } from '../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import { VersionStore } from '../../activities/timetable/version-store.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { type Child, Children } from '../../dev/stack/children.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../workflows/shared/ids.ts';
import { type DatasetImportInput, datasetImportWorkflowId } from '../../workflows/timetable/messages.ts';
import { run } from './run.ts';
import { temporaryDirectory, useMongo, useObjectStore, useTemporal, xsdDirectory } from './stack.ts';
import { until } from './until.ts';

export type WorkerName = 'timetable' | 'timetable-validation';

const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const START_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 10_000;
const IMPORT_TIMEOUT_MS = 120_000;

export interface StartedWorker {
  readonly child: Child;
  readonly url: string;
  /** Ends it at once, as a power cut would. */
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
  readonly #env: Readonly<Record<string, string>>;
  readonly #children = new Children();
  readonly #directory = temporaryDirectory('pipeline');

  private constructor(mongo: Connection, objects: ObjectStore, env: Readonly<Record<string, string>>) {
    this.#mongo = mongo;
    this.#env = env;
    this.objects = objects;
    this.imports = new ImportStore(mongo, { environment: 'dev' });
    this.versions = new VersionStore(mongo);
    this.privateDatasets = new PrivateDatasetStore(mongo);
    this.codespaces = new CodespaceStore(mongo);
    this.receipts = new ReceiptStore(mongo);
    const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = env;
    this.temporal = new TemporalClient({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS });
  }

  /** Without workers; the queues belong to one pipeline at a time. */
  static async open(env: Readonly<Record<string, string>> = {}): Promise<Pipeline> {
    const [mongo, store, temporal] = [await useMongo(), await useObjectStore(), await useTemporal()];
    const uri = mongo.uri(`pipeline_${randomUUID().slice(0, 8)}`);
    const connection = await connectMongo(uri);
    const pipeline = new Pipeline(connection, await ObjectStore.open(store), {
      ENVIRONMENT: 'development',
      MONGODB_URI: uri,
      ...store,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: 'default',
      PAYLOAD_KEYS,
      // Its worker is not part of this: imports would wait for it.
      PLANNER: 'off',
      NETEX_XSD_DIR: xsdDirectory(),
      WORKER_GRACE_MS: '3000',
      WORKER_FORCE_MS: '6000',
      ...env,
    });
    await pipeline.imports.ensureIndexes();
    await pipeline.codespaces.ensureIndexes();
    await pipeline.#buildBundle();
    return pipeline;
  }

  async #buildBundle(): Promise<void> {
    await run(process.execPath, [join(projectRoot, 'workers/build-bundle.ts'), '--out', this.#bundlePath]);
  }

  get #bundlePath(): string {
    return join(this.#directory, 'workflow-bundle.js');
  }

  async startWorker(name: WorkerName, env: Readonly<Record<string, string>> = {}): Promise<StartedWorker> {
    const port = await freePort();
    const child = this.#children.start({
      name,
      command: process.execPath,
      args: [join(projectRoot, `workers/${name}.ts`)],
      env: { ...this.#env, PORT: String(port), WORKFLOW_BUNDLE: this.#bundlePath, ...env },
      logFile: join(this.#directory, `${name}-${port}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    const check = async () => {
      const answer = await fetch(`${url}/health/ready`);
      if (!answer.ok) throw new Error(await answer.text());
    };
    await waitUntilReady(child, check, START_TIMEOUT_MS);
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

  /** The receipt of an upload; its workflow is not started. */
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

  /** Upload to end. */
  async import(codespace: string, archive: Uint8Array, fileName?: string): Promise<ImportRecord> {
    const input = await this.receive(codespace, archive, fileName);
    await this.start(input);
    return await this.ended(input);
  }

  /** As if it had been made on that day. */
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
