/**
 * Starts the whole service as processes of a test or benchmark, with its own servers and free ports. The caller can
 * upload, kill, restart and count. It shares nothing with `npm start` or with another test.
 *
 * Parts are `mongod minio temporal` and the requested processes of dev/stack/processes.ts, by their names there.
 * Further validation workers are `timetableValidationWorker-2`….
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientStore } from '../../activities/auth/client-store.ts';
import { type ClientCredentials, fetchToken, TimetableClient } from '../../dev/demo/api-client.ts';
import { bundlePlanner } from '../../dev/planner/bundle.ts';
import {
  administratorLogin,
  CUSTOMER_KEYS_DATABASE,
  DATABASE,
  databaseAccess,
  type LocalAccess,
  localAccountNames,
  objectAccess,
  prepareDatabases,
  prepareObjects,
} from '../../dev/stack/access.ts';
import { type Child, Children } from '../../dev/stack/children.ts';
import { MAIL_FROM } from '../../dev/stack/process-environment.ts';
import { signalGroup } from '../../dev/stack/process-table.ts';
import { checkProcess, type ProcessSetting, processOptions, type RunnableName } from '../../dev/stack/processes.ts';
import { createServiceSecrets } from '../../dev/stack/secrets.ts';
import * as servers from '../../dev/stack/servers.ts';
import { ensureTicketKeys } from '../../dev/stack/ticket-keys.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { type Environment, objectStoreShape, parseConfig } from '../../platform/config.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { useBundleFile } from './bundle.ts';
import { onOtherPorts } from './on-other-ports.ts';
import { ownPort } from './own-port.ts';
import { rarelyCollected } from './rarely-collected.ts';

const START_TIMEOUT_MS = 180_000;
const STOP_GRACE_MS = 12_000;
const AUDIENCE = 'https://samferd.test/api';
const SERVERS = ['mongod', 'minio', 'temporal'] as const;
const BASE_PROCESSES: readonly RunnableName[] = ['auth', 'api'];
const IMPORT_PROCESSES: readonly RunnableName[] = ['timetableWorker', 'timetableValidationWorker'];
const PLANNER_PROCESSES: readonly RunnableName[] = ['plannerBuildWorker', 'journeyPlanner'];
/** A port without a server, for parts that the test did not request. */
const NOBODY = 9;
const PATIENCE = {
  SHUTDOWN_GRACE_MS: '5000',
  WORKER_GRACE_MS: '3000',
  WORKER_FORCE_MS: '6000',
  PLANNER_QUIET_MS: '200',
};
const SCOPES = ['timetable:read', 'timetable:write', 'timetable:read-private', 'codespaces:write'];

export interface ServiceOptions {
  /** In addition to authentication server and API. */
  readonly processes?: readonly RunnableName[];
  /** False starts nothing that imports timetables. */
  readonly timetable?: boolean;
  /** Processes of the queue `timetable-validation`; 1 by default. */
  readonly validationWorkers?: number;
  /** Starts the planner's worker and process too. Without them imports end with the private dataset. */
  readonly planner?: boolean;
  /** Servers that ask for logins: each process has its own account, as in production. */
  readonly accounts?: boolean;
  /** Variables to add to the environment of every process of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** True: the database writes its files uncompressed, so that a search reads them as they are. */
  readonly readableFiles?: boolean;
  /** Until a part is ready; 180,000 by default. A long run that starts parts again and again survives a busy moment. */
  readonly startTimeoutMs?: number;
}

/** Arguments of the database that turn compression off. */
const UNCOMPRESSED = [
  ...['--wiredTigerCollectionBlockCompressor', 'none', '--wiredTigerJournalCompressor', 'none'],
  ...['--wiredTigerIndexPrefixCompression', 'false'],
];

export type PartName = (typeof SERVERS)[number] | RunnableName | `${RunnableName}-${number}`;

interface Part {
  readonly options: servers.ServerOptions;
  readonly check: () => Promise<void>;
  child: Child | undefined;
}

export class Service {
  readonly apiUrl: string;
  readonly authUrl: string;
  /** Without a server unless the test requested the planner. */
  readonly plannerUrl: string;
  /** The base URL of any part. */
  readonly url: (name: PartName) => string;
  readonly mongoUri: string;
  readonly customerKeysUri: string;
  readonly payloadKeys: string;
  readonly auditKeys: string;
  readonly plannerSigningKeys: string;
  /** The path of the bundle that its workers have loaded. */
  readonly workflowBundle: string;
  readonly temporalAddress: string;
  /** All settings that an object store client of a test needs. */
  readonly objectStore: Readonly<Record<string, string>>;
  readonly #children = new Children();
  readonly #parts = new Map<PartName, Part>();
  readonly #directory = mkdtempSync(join(tmpdir(), 'samferd-service-'));
  readonly #secrets = createServiceSecrets();
  readonly #setting: ProcessSetting;
  readonly #access: LocalAccess | undefined;
  readonly #startTimeoutMs: number;
  #client: ClientCredentials | undefined;

  static async start(options: ServiceOptions = {}): Promise<Service> {
    return await onOtherPorts(() => Service.#startOnce(options));
  }

  static async #startOnce(options: ServiceOptions): Promise<Service> {
    const names = listParts(options);
    const ports = new Map<PartName, number>();
    for (const name of names) ports.set(name, await ownPort());
    const service = new Service(ports, await useBundleFile(), options);
    try {
      await service.#startAll();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  private constructor(ports: ReadonlyMap<PartName, number>, workflowBundle: string, options: ServiceOptions) {
    const { env = {}, planner = false, accounts = false, readableFiles = false } = options;
    this.#startTimeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
    const at = (name: PartName): number => ports.get(name) ?? NOBODY;
    const url = (name: PartName): string => `http://127.0.0.1:${at(name)}`;
    this.workflowBundle = workflowBundle;
    this.payloadKeys = this.#secrets.payloadKeys;
    this.auditKeys = this.#secrets.auditKeys;
    this.plannerSigningKeys = this.#secrets.plannerSigningKeys;
    this.url = url;
    this.apiUrl = url('api');
    this.authUrl = url('auth');
    this.plannerUrl = url('journeyPlanner');
    this.#access = accounts ? newAccess(at('mongod')) : undefined;
    const login = this.#access && administratorLogin(this.#access);
    this.mongoUri = servers.mongoUri(at('mongod'), DATABASE, login);
    this.customerKeysUri = servers.mongoUri(at('mongod'), CUSTOMER_KEYS_DATABASE, login);
    this.temporalAddress = `127.0.0.1:${at('temporal')}`;
    this.objectStore = {
      S3_ENDPOINT: url('minio'),
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'samferd',
      S3_ACCESS_KEY_ID: 'service',
      S3_SECRET_ACCESS_KEY: this.#secrets.minioSecretAccessKey,
    };
    this.#addServers(at, readableFiles ? UNCOMPRESSED : []);
    this.#setting = {
      servers: {
        MONGODB_URI: this.mongoUri,
        ...this.objectStore,
        TEMPORAL_ADDRESS: this.temporalAddress,
      },
      ...(this.#access && { accessOf: accessOf(this.#access) }),
      customerKeysUri: this.customerKeysUri,
      // The flags of the local stack save memory, and make a start of the API a quarter longer.
      asComposed: true,
      secrets: this.#secrets,
      audience: AUDIENCE,
      ticketKeys: ensureTicketKeys(this.#newFolder('ticket-keys')),
      // Tests of mails start an in-box and name it in `env`.
      mail: { server: `smtp://127.0.0.1:${NOBODY}`, from: MAIL_FROM },
      url,
      workflowBundle,
      plannerBundle: this.#plannerBundle(),
      plannerCache: this.#newFolder('planner'),
      overrides: { ...PATIENCE, PLANNER: planner ? 'on' : 'off', ...env },
    };
    for (const [name, port] of ports) {
      if (isServer(name)) continue;
      const [kind, instance = '1'] = name.split('-') as [RunnableName, string?];
      this.#add(name, processOptions(kind, this.#setting, port, Number(instance)), () => checkProcess(kind, url(name)));
    }
  }

  #addServers(at: (name: PartName) => number, more: readonly string[]): void {
    const [mongod, minio, temporal] = [at('mongod'), at('minio'), at('temporal')];
    const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = this.objectStore;
    const key = this.#access?.mongodbKey;
    const keyFile = key === undefined ? undefined : join(this.#directory, 'mongodb.key');
    if (keyFile !== undefined && key !== undefined) writeFileSync(keyFile, key, { mode: 0o400 });
    const database = {
      port: mongod,
      directory: this.#newFolder('mongod'),
      cacheSizeGb: 0.5,
      more,
      ...(keyFile && { keyFile }),
    };
    this.#add('mongod', servers.mongodOptions(database), () => servers.initiateReplicaSet(mongod, key));
    const objects = { port: minio, directory: this.#newFolder('minio'), accessKeyId, secretAccessKey };
    this.#add('minio', rarelyCollected(servers.minioOptions(objects)), () => servers.checkMinio(minio));
    const workflows = { port: temporal, databaseFile: join(this.#newFolder('temporal'), 'temporal.db') };
    const checkTemporal = () => servers.checkTemporal(this.temporalAddress);
    this.#add('temporal', rarelyCollected(servers.temporalOptions(workflows)), checkTemporal);
  }

  #newFolder(name: string): string {
    return mkdtempSync(join(this.#directory, `${name}-`));
  }

  /** Holds the state of every server and the log of every part. */
  get directory(): string {
    return this.#directory;
  }

  get parts(): readonly PartName[] {
    return [...this.#parts.keys()];
  }

  /** A client of the API with every timetable scope and every codespace. */
  async client(): Promise<TimetableClient> {
    const { access_token } = await fetchToken(this.authUrl, await this.credentials());
    return new TimetableClient(this.apiUrl, access_token);
  }

  async credentials(): Promise<ClientCredentials> {
    this.#client ??= await this.#makeClient('test', 1, SCOPES);
    return this.#client;
  }

  /** An access token with these scopes for a client of the organisation. */
  async token(scopes: readonly string[], organisationId = 1): Promise<string> {
    return (await fetchToken(this.authUrl, await this.clientWith(scopes, organisationId))).access_token;
  }

  /** A new client of the organisation with these scopes. */
  async clientWith(scopes: readonly string[], organisationId = 1): Promise<ClientCredentials> {
    return await this.#makeClient(`test-${randomUUID()}`, organisationId, scopes);
  }

  async #makeClient(id: string, organisationId: number, scopes: readonly string[]): Promise<ClientCredentials> {
    const made = { client_id: id, client_secret: randomBytes(32).toString('base64url'), audience: AUDIENCE };
    const connection = await connectMongo(this.mongoUri);
    const store = new ClientStore(connection, Buffer.from(this.#secrets.clientSecretKey, 'base64'));
    await store.ensureClient({ ...made, name: id, organisationId, codespaces: ['*'], scopes });
    await connection.close();
    return made;
  }

  pid(name: PartName): number {
    const { child } = this.#part(name);
    if (!child) throw new Error(`${name} does not run`);
    return child.pid;
  }

  /** The last lines that a part wrote. */
  log(name: PartName): string {
    return readFileSync(this.#logFile(name), 'utf8');
  }

  /** Kills the part at once, as a power cut would. */
  async kill(name: PartName): Promise<void> {
    const part = this.#part(name);
    if (!part.child) return;
    signalGroup(part.child.pid, 'SIGKILL');
    await part.child.ended;
    part.child = undefined;
  }

  /** Ends a server and deletes its data, as a lost disk does. */
  async lose(name: (typeof SERVERS)[number]): Promise<void> {
    await this.kill(name);
    const folders = readdirSync(this.#directory).filter((each) => each.startsWith(`${name}-`));
    for (const folder of folders) {
      await rm(join(this.#directory, folder), { recursive: true, force: true, maxRetries: 5 });
      mkdirSync(join(this.#directory, folder));
    }
  }

  /** Starts an ended part on its old port with its old state, and waits until it is ready. */
  async restart(name: PartName): Promise<void> {
    await this.#start(name);
  }

  /**
   * Starts one more process of a kind, with the given changes of settings, and waits until it is ready. Names:
   * `kind-2`, `kind-3`….
   */
  async startAnother(kind: RunnableName, env: Environment = {}): Promise<PartName> {
    const instance = this.parts.filter((name) => name.split('-')[0] === kind).length + 1;
    const name = `${kind}-${instance}` as const;
    const setting = { ...this.#setting, overrides: { ...this.#setting.overrides, ...env } };
    return await onOtherPorts(async () => {
      const port = await ownPort();
      const isReady = () => checkProcess(kind, `http://127.0.0.1:${port}`);
      this.#add(name, processOptions(kind, setting, port, instance), isReady);
      await this.#start(name);
      return name;
    });
  }

  /** Stops the part gracefully, as a deployment does. */
  async end(name: PartName): Promise<void> {
    const part = this.#part(name);
    await part.child?.stop(STOP_GRACE_MS);
    part.child = undefined;
  }

  /** Kills all parts at once; tests of SIGTERM use {@link end}. */
  async stop(): Promise<void> {
    await Promise.all(this.parts.map((name) => this.kill(name)));
    await this.#children.stopAll(STOP_GRACE_MS);
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startAll(): Promise<void> {
    if (this.#parts.has('journeyPlanner')) await bundlePlanner(this.#plannerBundle());
    await Promise.all(SERVERS.map((name) => this.#start(name)));
    if (this.#access) await this.#makeAccounts(this.#access);
    await Promise.all(this.parts.filter((name) => !isServer(name)).map((name) => this.#start(name)));
  }

  async #makeAccounts(access: LocalAccess): Promise<void> {
    const objectStore = parseConfig(objectStoreShape, this.objectStore);
    await Promise.all([prepareDatabases(access), prepareObjects(objectStore, access)]);
  }

  async #start(name: PartName): Promise<void> {
    const part = this.#part(name);
    part.child = this.#children.start({ ...part.options, logFile: this.#logFile(name) });
    await waitUntilReady(part.child, part.check, this.#startTimeoutMs);
  }

  #add(name: PartName, options: servers.ServerOptions, check: () => Promise<void>): void {
    this.#parts.set(name, { options, check, child: undefined });
    this.#children.removeAtEnd(this.#directory);
  }

  #part(name: PartName): Part {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`There is no part ${name}`);
    return part;
  }

  #plannerBundle(): string {
    return join(this.#directory, 'planner-process');
  }

  #logFile(name: PartName): string {
    return join(this.#directory, `${name}.log`);
  }
}

function newAccess(mongodbPort: number): LocalAccess {
  const passwords = new Map(localAccountNames().map((name) => [name, randomBytes(24).toString('hex')]));
  const mongodbKey = randomBytes(32).toString('base64');
  return { mongodbPort, mongodbKey, bucket: 'samferd', passwordOf: (account) => passwords.get(account) ?? '' };
}

function accessOf(access: LocalAccess): (name: RunnableName) => Environment {
  return (name) => ({ ...databaseAccess(name, access), ...objectAccess(name, access) });
}

function listParts(options: ServiceOptions): readonly PartName[] {
  const { validationWorkers = 1, timetable = true, planner = false, processes = [] } = options;
  const imports = timetable ? IMPORT_PROCESSES : [];
  const own = new Set([...BASE_PROCESSES, ...imports, ...(planner ? PLANNER_PROCESSES : []), ...processes]);
  const more = Array.from({ length: validationWorkers - 1 }, (_, at) => `timetableValidationWorker-${at + 2}` as const);
  return [...SERVERS, ...own, ...more];
}

function isServer(name: PartName): boolean {
  return (SERVERS as readonly PartName[]).includes(name);
}
