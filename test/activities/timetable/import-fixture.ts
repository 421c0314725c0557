/** Provides stores on a real database and object store, an import in progress, and activities that run in a test. */
import { createHash, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Connection } from 'mongoose';
import type { BatchContent, FileValidator } from '../../../activities/timetable/batch-validation.ts';
import { CodespaceStore } from '../../../activities/timetable/codespace-store.ts';
import { createDatasetActivities } from '../../../activities/timetable/dataset-activities.ts';
import { ImportMaterialSource } from '../../../activities/timetable/import-materials.ts';
import { createImportRecordActivities } from '../../../activities/timetable/import-record-activities.ts';
import { ImportStore } from '../../../activities/timetable/import-store.ts';
import { uploadKey } from '../../../activities/timetable/object-keys.ts';
import { createPrivateDatasetActivities } from '../../../activities/timetable/private-dataset-activities.ts';
import { PrivateDatasetStore } from '../../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../../activities/timetable/receipt-store.ts';
import { createValidationActivities } from '../../../activities/timetable/validation-activities.ts';
import { VersionStore } from '../../../activities/timetable/version-store.ts';
import type { FileResult } from '../../../netex/file-result.ts';
import { SHIPPED_SEVERITIES } from '../../../netex/rules/severity-settings.ts';
import type { NetexFile, ValidationContext } from '../../../netex/validation-context.ts';
import { DEFAULT_ARCHIVE_LIMITS, unpackEntry } from '../../../netex/zip/index.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { readObject } from '../../../platform/object-store/read-object.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../../workflows/shared/ids.ts';
import type { ClassifiedDataset, ManifestInput } from '../../../workflows/timetable/activities.ts';
import type { DatasetImportInput } from '../../../workflows/timetable/messages.ts';
import { useMongo, useObjectStore } from '../../support/stack.ts';
import { writeZip } from '../../support/zip-writer.ts';

/** Records the validated files. Its results depend on the file alone. */
export class RecordingValidator implements FileValidator {
  readonly names: string[] = [];
  readonly contexts = new Set<ValidationContext>();
  /** Called before each result. */
  onValidate: (file: NetexFile) => void | Promise<void> = () => {};
  /** Changes each result. */
  answer: (result: FileResult) => FileResult = (result) => result;

  async validate(content: BatchContent, context: ValidationContext): Promise<FileResult> {
    const { name, kind } = content;
    const file = 'bytes' in content ? content : { name, kind, bytes: unpackEntry(content.packed) };
    this.names.push(file.name);
    this.contexts.add(context);
    await this.onValidate(file);
    const { bytes } = file;
    const none = { schemaVersion: '1.15', findings: [], counts: {}, capped: [], lastDay: null };
    return this.answer({
      ...none,
      name,
      kind,
      bytes: bytes.length,
      lines: 1,
      serviceJourneys: 0,
      identifiers: new Uint8Array(),
      timetable: new Uint8Array(),
    });
  }
}

export class ImportFixture {
  readonly imports: ImportStore;
  readonly codespaces: CodespaceStore;
  readonly versions: VersionStore;
  readonly privateDatasets: PrivateDatasetStore;
  readonly receipts: ReceiptStore;
  readonly objects: ObjectStore;
  readonly validator = new RecordingValidator();
  /** Limits of the validation worker. */
  archiveLimits = DEFAULT_ARCHIVE_LIMITS;
  processBytes = Number.POSITIVE_INFINITY;
  readonly #mongo: Connection;

  private constructor(mongo: Connection, objects: ObjectStore) {
    this.#mongo = mongo;
    this.objects = objects;
    this.imports = new ImportStore(mongo, { environment: 'dev' });
    this.codespaces = new CodespaceStore(mongo);
    this.versions = new VersionStore(mongo);
    this.privateDatasets = new PrivateDatasetStore(mongo);
    this.receipts = new ReceiptStore(mongo);
  }

  static async open(): Promise<ImportFixture> {
    const mongo = await connectMongo((await useMongo()).uri(`activities_${randomUUID().slice(0, 8)}`));
    const fixture = new ImportFixture(mongo, await ObjectStore.open(await useObjectStore()));
    await fixture.imports.ensureIndexes();
    await fixture.codespaces.ensureIndexes();
    for (const codespace of ['tst', 'nsr']) await fixture.putCodespace(codespace);
    return fixture;
  }

  async putCodespace(codespace: string): Promise<void> {
    const xmlns = codespace.toUpperCase();
    const owner = { ownerOrganisationId: 1 as OrganisationId, allowedXmlns: ['NSR'], profile: 'timetable' } as const;
    await this.codespaces.put(codespace as Codespace, { ...owner, name: xmlns, xmlns });
  }

  /** Writes an accepted upload of these files. */
  async receive(files: Readonly<Record<string, string>>, codespace = 'tst'): Promise<DatasetImportInput> {
    return await this.receiveBytes(writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))), codespace);
  }

  async receiveBytes(archive: Uint8Array, codespace = 'tst', fileName = 'a.zip'): Promise<DatasetImportInput> {
    const input = { codespace: codespace as Codespace, correlationId: randomUUID() as CorrelationId };
    await this.receipts.begin({ ...input, organisationId: 1 as OrganisationId, clientId: 'test' });
    await this.objects.put(uploadKey(input.codespace, input.correlationId), archive, 'application/zip');
    const sha256 = createHash('sha256').update(archive).update(input.correlationId).digest('hex');
    const stored = { fileName, sizeBytes: archive.length, sha256 };
    await this.receipts.markStored(input.codespace, input.correlationId, stored);
    await this.receipts.accept(input.codespace, input.correlationId);
    return input;
  }

  /** Writes an accepted upload and classifies it, ready for validation. */
  async classified(files: Readonly<Record<string, string>>, codespace = 'tst'): Promise<ManifestInput> {
    const input = await this.receive(files, codespace);
    const found = (await this.run(() => this.dataset().classifyDataset(input))) as ClassifiedDataset;
    return { ...input, manifestId: found.manifestId };
  }

  records() {
    return createImportRecordActivities(this.imports, { timeZone: 'Europe/Oslo' });
  }

  dataset() {
    return createDatasetActivities({
      objects: this.objects,
      imports: this.imports,
      codespaces: this.codespaces,
      versions: this.versions,
      archiveLimits: DEFAULT_ARCHIVE_LIMITS,
      severities: SHIPPED_SEVERITIES,
      stopRegisterCodespace: 'nsr' as Codespace,
    });
  }

  privateActivities() {
    return createPrivateDatasetActivities({ objects: this.objects, privateDatasets: this.privateDatasets });
  }

  /** Each call simulates a new process: nothing is kept between calls. */
  validation(validator: FileValidator = this.validator) {
    const { objects } = this;
    const materials = new ImportMaterialSource({
      objects,
      archiveLimits: this.archiveLimits,
      stopRegisterXmlns: 'NSR',
    });
    return createValidationActivities({
      objects,
      materials,
      validator,
      archiveLimits: this.archiveLimits,
      processBytes: this.processBytes,
    });
  }

  /** Runs an activity as Temporal does at this attempt. */
  async run<T>(activity: () => Promise<T>, attempt = 1): Promise<T> {
    return await new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR', () => {}) }).run(
      activity,
    );
  }

  /** All objects under a prefix, by key. */
  async contents(prefix: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const { key } of this.objects.list(prefix)) {
      found.set(key, Buffer.from(await readObject(this.objects, key)).toString('base64'));
    }
    return found;
  }

  async close(): Promise<void> {
    this.objects.close();
    await this.#mongo.close();
  }
}
