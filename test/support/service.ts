/**
 * The whole service as its own processes, on servers of its own and free ports: what a test or a benchmark needs to upload,
 * kill, restart and count. Nothing of it is shared with `npm start` or with another test.
 *
 * Parts: `mongod minio temporal auth api worker validation` (and `validation-2`… when more are asked for; `planner-worker
 * planner` when the planner is).
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ClientStore } from '../../activities/auth/client-store.ts';
import { connectMongo } from '../../activities/shared/mongo.ts';
import { API_NODE_FLAGS, PLANNER_ENVIRONMENT, PLANNER_NODE_FLAGS } from '../../api/node-flags.ts';
import { type ClientCredentials, fetchToken, TimetableClient } from '../../dev/demo/api-client.ts';
import { bundlePlanner } from '../../dev/planner/bundle.ts';
import { projectRoot, xsdDirectory } from '../../dev/setup/resolve.mjs';
import { type Child, Children } from '../../dev/stack/children.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { signalGroup } from '../../dev/stack/process-table.ts';
import * as servers from '../../dev/stack/servers.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { run } from './run.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 12_000;
const ENDED_AT_ONCE = /ended while starting/;
const AUDIENCE = 'https://samferd.test/api';
const PLANNER_PARTS = ['planner-worker', 'planner'];
const SCOPES = ['timetable:read', 'timetable:write', 'timetable:read-private', 'codespaces:write'];

export interface ServiceOptions {
  /** Processes of the queue `timetable-validation`; 1 unless given. */
  readonly validationWorkers?: number;
  /** The planner's worker and process too; without them imports end with the private dataset. */
  readonly planner?: boolean;
  /** Added to the environment of every own process. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Part {
  readonly options: servers.ServerOptions;
  readonly check: () => Promise<void>;
  child: Child | undefined;
}

export class Service {
  readonly apiUrl: string;
  readonly authUrl: string;
  /** Nobody is there unless the planner was asked for. */
  readonly plannerUrl: string;
  readonly mongoUri: string;
  readonly temporalAddress: string;
  /** Everything an object store client of a test needs. */
  readonly objectStore: Readonly<Record<string, string>>;
  readonly #children = new Children();
  readonly #parts = new Map<string, Part>();
  readonly #directory = mkdtempSync(join(tmpdir(), 'samferd-service-'));
  readonly #secretKey = randomBytes(32);
  #client: ClientCredentials | undefined;

  /** Once more, on other ports, when a part has ended at once: another process may have taken a port that was free. */
  static async start(options: ServiceOptions = {}): Promise<Service> {
    try {
      return await Service.#startOnce(options);
    } catch (error) {
      if (!(error instanceof Error && ENDED_AT_ONCE.test(error.message))) throw error;
      return await Service.#startOnce(options);
    }
  }

  static async #startOnce(options: ServiceOptions): Promise<Service> {
    const names = ['mongod', 'minio', 'temporal', 'auth', 'api', 'worker'];
    const validators = Array.from({ length: options.validationWorkers ?? 1 }, (_, at) =>
      at === 0 ? 'validation' : `validation-${at + 1}`,
    );
    const ports: Record<string, number> = {};
    for (const name of [...names, ...validators, ...PLANNER_PARTS]) ports[name] = await freePort();
    const service = new Service(ports, validators, options);
    try {
      await service.#startAll();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  private constructor(ports: Record<string, number>, validators: readonly string[], options: ServiceOptions) {
    const { env = {}, planner = false } = options;
    const at = (name: string): number => ports[name] ?? 0;
    const url = (name: string): string => `http://127.0.0.1:${at(name)}`;
    this.apiUrl = url('api');
    this.authUrl = url('auth');
    this.plannerUrl = url('planner');
    this.mongoUri = servers.mongoUri(at('mongod'), 'samferd');
    this.temporalAddress = `127.0.0.1:${at('temporal')}`;
    const [accessKeyId, secretAccessKey] = ['service', randomBytes(16).toString('hex')];
    this.objectStore = {
      S3_ENDPOINT: url('minio'),
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'samferd',
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    const directory = (name: string): string => mkdtempSync(join(this.#directory, `${name}-`));
    this.#add(servers.mongodOptions({ port: at('mongod'), directory: directory('mongod'), cacheSizeGb: 0.5 }), () =>
      servers.initiateReplicaSet(at('mongod')),
    );
    this.#add(
      servers.minioOptions({ port: at('minio'), directory: directory('minio'), accessKeyId, secretAccessKey }),
      () => servers.checkMinio(at('minio')),
    );
    const databaseFile = join(directory('temporal'), 'temporal.db');
    this.#add(servers.temporalOptions({ port: at('temporal'), databaseFile }), () =>
      servers.checkTemporal(this.temporalAddress),
    );
    const common = {
      ENVIRONMENT: 'development',
      MONGODB_URI: this.mongoUri,
      ...this.objectStore,
      TEMPORAL_ADDRESS: this.temporalAddress,
      PAYLOAD_KEYS: `test:${randomBytes(32).toString('base64')}`,
      NETEX_XSD_DIR: xsdDirectory(),
      WORKFLOW_BUNDLE: join(projectRoot, 'dist/workflow-bundle.js'),
      SHUTDOWN_GRACE_MS: '5000',
      WORKER_GRACE_MS: '3000',
      WORKER_FORCE_MS: '6000',
      AUTH_ISSUER: this.authUrl,
      ISSUER: this.authUrl,
      AUDIENCE,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      CLIENT_SECRET_KEY: this.#secretKey.toString('base64'),
      PLANNER: planner ? 'on' : 'off',
      PLANNER_QUIET_MS: '200',
      PLANNER_URL: this.plannerUrl,
      PLANNER_ID_KEYS: `test:${randomBytes(32).toString('base64')}`,
      PLANNER_CACHE_DIR: directory('planner'),
      ...env,
    };
    const own = (name: string, entry: string, flags: readonly string[] = [], health = 'ready'): void => {
      const part = {
        ...{ name, command: process.execPath, args: [...flags, resolve(projectRoot, entry)] },
        env: { ...common, ...(name === 'planner' ? PLANNER_ENVIRONMENT : {}), PORT: String(at(name)) },
      };
      this.#add(part, () => checkHealth(url(name), health));
    };
    own('auth', 'api/auth/server.ts');
    own('api', 'api/server.ts', API_NODE_FLAGS);
    own('worker', 'workers/timetable.ts');
    for (const validator of validators) own(validator, 'workers/timetable-validation.ts');
    if (!planner) return;
    own('planner-worker', 'workers/planner-build.ts');
    // Ready with the first snapshot, which the test has yet to cause.
    own('planner', join(this.#plannerBundle(), 'server.mjs'), PLANNER_NODE_FLAGS, 'live');
  }

  get parts(): readonly string[] {
    return [...this.#parts.keys()];
  }

  /** A client of the API with every timetable scope and every codespace. */
  async client(): Promise<TimetableClient> {
    const { access_token } = await fetchToken(this.authUrl, await this.credentials());
    return new TimetableClient(this.apiUrl, access_token);
  }

  async credentials(): Promise<ClientCredentials> {
    if (this.#client) return this.#client;
    const made = { client_id: 'test', client_secret: randomBytes(32).toString('base64url'), audience: AUDIENCE };
    const connection = await connectMongo(this.mongoUri);
    const store = new ClientStore(connection, this.#secretKey);
    await store.ensureClient({ ...made, name: 'Test', organisationId: 1, codespaces: ['*'], scopes: SCOPES });
    await connection.close();
    this.#client = made;
    return made;
  }

  pid(name: string): number {
    const { child } = this.#part(name);
    if (!child) throw new Error(`${name} does not run`);
    return child.pid;
  }

  /** The last lines that a part wrote. */
  log(name: string): string {
    return readFileSync(this.#logFile(name), 'utf8');
  }

  /** Ends the part at once, as a power cut would. */
  async kill(name: string): Promise<void> {
    const part = this.#part(name);
    if (!part.child) return;
    signalGroup(part.child.pid, 'SIGKILL');
    await part.child.ended;
    part.child = undefined;
  }

  /** Starts a part that has ended, on its old port with its old state, and waits until it is ready. */
  async restart(name: string): Promise<void> {
    await this.#start(name);
  }

  async stop(): Promise<void> {
    await this.#children.stopAll(STOP_GRACE_MS);
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  async #startAll(): Promise<void> {
    await run(process.execPath, [join(projectRoot, 'workers/build-bundle.ts')]);
    if (this.#parts.has('planner')) await bundlePlanner(this.#plannerBundle());
    const [own, native] = [this.parts.slice(3), this.parts.slice(0, 3)];
    await Promise.all(native.map((name) => this.#start(name)));
    for (const name of own) await this.#start(name);
  }

  async #start(name: string): Promise<void> {
    const part = this.#part(name);
    part.child = this.#children.start({ ...part.options, logFile: this.#logFile(name) });
    await waitUntilReady(part.child, part.check, START_TIMEOUT_MS);
  }

  #add(options: servers.ServerOptions, check: () => Promise<void>): void {
    this.#parts.set(options.name, { options, check, child: undefined });
    this.#children.removeAtEnd(this.#directory);
  }

  #part(name: string): Part {
    const part = this.#parts.get(name);
    if (!part) throw new Error(`There is no part ${name}`);
    return part;
  }

  #plannerBundle(): string {
    return join(this.#directory, 'planner-process');
  }

  #logFile(name: string): string {
    return join(this.#directory, `${name}.log`);
  }
}

async function checkHealth(url: string, what: string): Promise<void> {
  const answer = await fetch(`${url}/health/${what}`, { signal: AbortSignal.timeout(2_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`not ready: ${answer.status} ${text}`);
}
