/**
 * Starts the servers of the compose file from this machine's binaries, with the commands and passwords of the compose
 * file. Each uses free ports, so that other servers of this machine are not disturbed. Temporal is the development
 * server: its image, PostgreSQL and the schema job need an engine. Caller: main.ts.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { projectRoot, serverPath } from '../../setup/resolve.mjs';
import type { Child, Children } from '../../stack/children.ts';
import { freePort } from '../../stack/ports.ts';
import { temporalOptions } from '../../stack/servers.ts';
import { waitUntilReady } from '../../stack/wait.ts';
import type { ComposeFile, ComposeService } from '../compose-file.ts';
import { type Addresses, locateEnvironment } from './addresses.ts';

const START_TIMEOUT_MS = 120_000;
const STOP_MS = 10_000;
const HOST = '127.0.0.1';
const execute = promisify(execFile);

export interface ServersOptions {
  readonly compose: ComposeFile;
  readonly addresses: Addresses;
  readonly children: Children;
  readonly folder: string;
}

export async function startServers(options: ServersOptions): Promise<void> {
  await Promise.all([
    startMongodb(options, 'mongodb'),
    startMongodb(options, 'mongodb-keys'),
    startMinio(options),
    startTemporal(options),
  ]);
}

function serviceOf({ compose }: ServersOptions, name: string): ComposeService {
  const service = compose.services[name];
  if (!service) throw new Error(`There is no service ${name}`);
  return service;
}

function folderOf({ folder }: ServersOptions, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Creates the administrator on a temporary server first, as the start script of the image does. */
async function startMongodb(options: ServersOptions, name: string): Promise<void> {
  const service = serviceOf(options, name);
  const port = await freePort();
  const address = `${HOST}:${port}`;
  options.addresses.move(`${name}:27017`, address);
  const data = folderOf(options, name);
  const keyFile = join(options.folder, `${name}.key`);
  writeFileSync(keyFile, service.environment.MONGODB_REPLICA_KEY ?? '', { mode: 0o600 });
  const place = ['--port', String(port), '--dbpath', data, '--nounixsocket'];
  const start = (args: readonly string[]): Child =>
    options.children.start({
      name,
      command: serverPath('mongod'),
      args: [...args, ...place],
      logFile: join(options.folder, `${name}.log`),
    });
  const { MONGO_INITDB_ROOT_USERNAME: username = '', MONGO_INITDB_ROOT_PASSWORD: password = '' } = service.environment;
  const first = start(['--bind_ip', HOST]);
  const createUser = { createUser: username, pwd: password, roles: ['root'] };
  await waitUntilReady(first, () => commandOn(address, createUser), START_TIMEOUT_MS);
  await first.stop(STOP_MS);
  const args = service.command.slice(1).flatMap((word) => {
    if (word === '--bind_ip_all') return ['--bind_ip', HOST];
    return [word === '/run/keyfile/key' ? keyFile : word];
  });
  await waitUntilReady(start(args), () => commandOn(address, { ping: 1 }, { username, password }), START_TIMEOUT_MS);
}

async function commandOn(address: string, command: mongoose.mongo.Document, auth?: mongoose.mongo.Auth): Promise<void> {
  const client = new mongoose.mongo.MongoClient(`mongodb://${address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    ...(auth && { auth }),
  });
  try {
    await (await client.connect()).db('admin').command(command);
  } finally {
    await client.close();
  }
}

/** MinIO also listens at 127.0.0.1 and would share a port there with another process, so it needs a free one. */
async function startMinio(options: ServersOptions): Promise<void> {
  const service = serviceOf(options, 'minio');
  const [port, consolePort] = [await freePort(), await freePort()];
  const places: Readonly<Record<string, string>> = {
    '/data': folderOf(options, 'minio'),
    ':9000': `${HOST}:${port}`,
    ':9001': `${HOST}:${consolePort}`,
  };
  options.addresses.move('minio:9000', `${HOST}:${port}`);
  const args = service.command.map((word) => places[word] ?? word);
  const child = options.children.start({
    name: 'minio',
    command: serverPath('minio'),
    args,
    env: { ...service.environment, HOME: options.folder },
    logFile: join(options.folder, 'minio.log'),
  });
  const [, command = '', ...rest] = service.healthcheck?.test ?? [];
  const test = rest.map((word) => word.replaceAll('/127.0.0.1/9000', `/${HOST}/${port}`));
  await waitUntilReady(child, async () => void (await execute(command, test, { timeout: 5_000 })), START_TIMEOUT_MS);
}

/** The namespace job waits for Temporal, and makes what the service needs. */
async function startTemporal(options: ServersOptions): Promise<void> {
  const port = await freePort();
  const databaseFile = join(folderOf(options, 'temporal'), 'temporal.db');
  options.children.start({
    ...temporalOptions({ port, databaseFile }),
    logFile: join(options.folder, 'temporal.log'),
  });
  options.addresses.move('temporal:7233', `${HOST}:${port}`);
  const job = serviceOf(options, 'temporal-namespace');
  const [shell = 'sh', script = ''] = job.entrypoint ?? [];
  const env = {
    ...locateEnvironment(job, options.addresses, {}),
    PATH: `${dirname(serverPath('temporal'))}:${process.env.PATH}`,
    HOME: options.folder,
    // The development server asks for neither certificate nor token.
    TEMPORAL_ACCESS: 'none',
  };
  const file = join(projectRoot, script.replace(/^\/scripts\//, 'docker/temporal/'));
  for (let times = 0; times < 2; times += 1) await execute(shell, [file], { env });
}
