/**
 * Runs the timetable area on a real server, database and object store. Tokens are plain `client/codespaces/scopes`. The
 * workflow service records what it should start.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import type { Connection } from 'mongoose';
import { CodespaceStore } from '../../../activities/timetable/codespace-store.ts';
import { DifferencesStore } from '../../../activities/timetable/differences-store.ts';
import { ImportStore } from '../../../activities/timetable/import-store.ts';
import { PrivateDatasetStore } from '../../../activities/timetable/private-dataset-store.ts';
import { ReceiptStore } from '../../../activities/timetable/receipt-store.ts';
import { ReportStore } from '../../../activities/timetable/report-store.ts';
import type { UploadQuota } from '../../../activities/timetable/upload-quota-model.ts';
import { UploadQuotaStore } from '../../../activities/timetable/upload-quota-store.ts';
import { VersionStore } from '../../../activities/timetable/version-store.ts';
import { createApp } from '../../../api/shared/app.ts';
import type { RequestAudit } from '../../../api/shared/audited.ts';
import type { Caller } from '../../../api/shared/operation.ts';
import type { RequestContext } from '../../../api/shared/request-context.ts';
import { serve } from '../../../api/shared/serve.ts';
import type { Progress } from '../../../api/shared/slow-body.ts';
import { type DownloadLimits, DownloadSlots } from '../../../api/timetable/downloads/download-slots.ts';
import { createTimetableArea } from '../../../api/timetable/routes.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import type { DatasetImportInput } from '../../../workflows/timetable/messages.ts';
import { useMongo, useObjectStore } from '../../support/stack.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { silentLog } from '../support/parcels.ts';

export const DEM = 'dem' as Codespace;
export const UPLOAD_LIMIT_BYTES = 12_000_000;
export const OPERATOR = 'operator/*/codespaces:write,timetable:read,timetable:write';
export const PROVIDER = 'provider/dem/timetable:read,timetable:write';
/** A client whose token expires while its request is being sent. */
const EXPIRING = 'expiring';
export const EXPIRING_PROVIDER = `${EXPIRING}/dem/timetable:read,timetable:write`;
export const STRANGER = 'stranger/oth/timetable:read,timetable:write';

const NO_QUOTA: UploadQuota = {
  atOnce: Number.MAX_SAFE_INTEGER,
  bytesPerHour: Number.MAX_SAFE_INTEGER,
  bytesPerDay: Number.MAX_SAFE_INTEGER,
  unpackedPerHour: Number.MAX_SAFE_INTEGER,
  unpackedPerDay: Number.MAX_SAFE_INTEGER,
};

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any form.
  readonly json: any;
}

export interface CallOptions {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Uint8Array | string;
}

export interface TimetableServer {
  readonly url: string;
  readonly connection: Connection;
  readonly downloads: DownloadSlots;
  readonly objects: ObjectStore;
  readonly imports: ImportStore;
  readonly versions: VersionStore;
  readonly privateDatasets: PrivateDatasetStore;
  /** Imports that the workflow service should start. */
  readonly started: DatasetImportInput[];
  /** The number of withdrawals that were signalled to the planner. */
  readonly plannerSignals: number;
  /** While true, the workflow service is unavailable. */
  workflowsAway: boolean;
  call(path: string, options?: CallOptions): Promise<Answer>;
  upload(form: Form, options?: CallOptions & { path?: string }): Promise<Answer>;
  /** Uploads these bytes as a provider does, and simulates a successful pipeline. */
  publish(bytes: Uint8Array, fileName?: string): Promise<{ correlationId: CorrelationId; importKey: string }>;
  /** The keys of all objects in the object store. */
  listObjects(): Promise<readonly string[]>;
  /** The number of unfinished multipart uploads to this key. */
  countOpenUploads(key: string): Promise<number>;
  /** The number of import documents, also of those that callers do not see. */
  countImports(): Promise<number>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** The endpoint of another object store than the real one. */
  readonly objectEndpoint?: string;
  readonly uploadLimitBytes?: number;
  /** None by default. */
  readonly quota?: UploadQuota;
  /** 8 and 64 by default. */
  readonly downloadLimits?: Partial<DownloadLimits>;
  readonly readProgress?: Progress;
  /** Accepts plain tokens by default. With another check, the codespace `dem` is not created. */
  readonly verifyToken?: (context: RequestContext) => Promise<Caller>;
  /** Records the operations with `x-audit`; absent, nothing does. */
  readonly audit?: RequestAudit;
}

export async function startTimetable(options: StartOptions = {}): Promise<TimetableServer> {
  const [mongo, storage] = await Promise.all([useMongo(), useObjectStore()]);
  const connection = await connectMongo(mongo.uri(`timetable-api-${randomUUID().slice(0, 8)}`));
  const endpoint = options.objectEndpoint ?? storage.S3_ENDPOINT;
  const objects = ObjectStore.connect({ ...storage, S3_ENDPOINT: endpoint });
  const idempotency = keyedRequests(connection);
  const codespaces = new CodespaceStore(connection);
  const imports = new ImportStore(connection, { environment: 'dev' });
  const versions = new VersionStore(connection);
  const privateDatasets = new PrivateDatasetStore(connection);
  await Promise.all([idempotency.store.ensureIndexes(), codespaces.ensureIndexes(), imports.ensureIndexes()]);
  const started: DatasetImportInput[] = [];
  const state = { workflowsAway: false, plannerSignals: 0 };
  const downloads = new DownloadSlots({ perClient: 8, inAll: 64, ...options.downloadLimits });
  const area = createTimetableArea({
    codespaces,
    imports,
    versions,
    privateDatasets,
    objects,
    downloads,
    receipts: new ReceiptStore(connection),
    reports: new ReportStore(objects),
    differences: new DifferencesStore(objects),
    startImport: async (input) => {
      if (state.workflowsAway) throw new Error('no workflow service');
      started.push(input);
    },
    signalPlanner: async () => {
      if (state.workflowsAway) throw new Error('no workflow service');
      state.plannerSignals += 1;
    },
    uploadLimitBytes: options.uploadLimitBytes ?? UPLOAD_LIMIT_BYTES,
    quotas: new UploadQuotaStore(connection, options.quota ?? NO_QUOTA),
  });
  const app = createApp({
    areas: [area],
    log: silentLog,
    verifyToken: options.verifyToken ?? readPlainToken,
    idempotency,
    health: { objectStore: () => objects.ping() },
    ...(options.readProgress && { readProgress: options.readProgress }),
    ...(options.audit && { audit: options.audit }),
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  const call = (path: string, options: CallOptions = {}) => send(server.url + path, options);
  const upload: TimetableServer['upload'] = (form, { path = uploadPath('dem'), ...options } = {}) =>
    call(path, {
      method: 'POST',
      token: PROVIDER,
      ...options,
      ...form,
      headers: { ...form.headers, ...options.headers },
    });
  await call('/timetable/v1/codespaces/dem', {
    method: 'PUT',
    token: OPERATOR,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Demo', ownerOrganisationId: 1 }),
  });
  return {
    url: server.url,
    connection,
    downloads,
    objects,
    imports,
    versions,
    privateDatasets,
    started,
    call,
    upload,
    get plannerSignals() {
      return state.plannerSignals;
    },
    get workflowsAway() {
      return state.workflowsAway;
    },
    set workflowsAway(away) {
      state.workflowsAway = away;
    },
    publish: async (bytes, fileName = 'archive.zip') => {
      const answer = await upload(form([{ bytes, fileName }]));
      const correlationId = answer.json.correlationId as CorrelationId;
      await imports.recordAction(DEM, correlationId, 'VALIDATION', { state: 'OK' });
      await imports.publish(DEM, correlationId);
      await imports.complete(DEM, correlationId);
      return { correlationId, importKey: (await imports.get(DEM, correlationId)).importKey };
    },
    listObjects: async () => {
      const keys: string[] = [];
      for await (const { key } of objects.list('')) keys.push(key);
      return keys;
    },
    countOpenUploads: async (key) => {
      const client = new S3Client({
        endpoint: storage.S3_ENDPOINT,
        region: storage.S3_REGION,
        forcePathStyle: true,
        credentials: { accessKeyId: storage.S3_ACCESS_KEY_ID, secretAccessKey: storage.S3_SECRET_ACCESS_KEY },
      });
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: storage.S3_BUCKET, Prefix: key }),
      );
      client.destroy();
      return Uploads.length;
    },
    countImports: async () => await connection.collection('timetable_imports').countDocuments(),
    close: async () => {
      await server.close();
      objects.close();
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

export function uploadPath(codespace: string): string {
  return `/timetable/v1/timetable-management/datasets/${codespace}`;
}

export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface FormPart {
  readonly bytes: Uint8Array | string;
  readonly name?: string;
  /** Null makes a plain field instead of a file. */
  readonly fileName?: string | null;
}

/** Writes a multipart body by hand, so that a test controls every byte. */
export function form(parts: readonly FormPart[]): Form {
  const boundary = `boundary-${randomBytes(8).toString('hex')}`;
  const pieces = parts.flatMap(({ bytes, name = 'file', fileName = 'archive.zip' }) => {
    const quoted = fileName?.replaceAll(/["\\]/g, '\\$&');
    const file = fileName === null ? '' : `; filename="${quoted}"\r\nContent-Type: application/zip`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')];
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function send(url: string, { method = 'GET', token, headers, body }: CallOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const outgoing = httpRequest(url, { method, headers: { ...authorization, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isJson = /json/.test(response.headers['content-type'] ?? '') && bytes.length > 0;
        const json = isJson ? JSON.parse(bytes.toString()) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function readPlainToken(context: {
  readonly request: { readonly headers: { readonly authorization?: string | undefined } };
}): Promise<Caller> {
  const [clientId, codespaces, scopes] = (context.request.headers.authorization ?? '')
    .slice('Bearer '.length)
    .split('/');
  if (!clientId) throw new ServiceError('MISSING_TOKEN', 'An access token is needed.');
  return {
    clientId,
    organisationId: 1 as OrganisationId,
    codespaces: new Set(codespaces?.split(',')),
    scopes: new Set(scopes?.split(',')),
    tokenExpiresAtMs: clientId === EXPIRING ? 0 : Number.POSITIVE_INFINITY,
  };
}
