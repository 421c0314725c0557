/**
 * `npm run try:docker`: tries the composition of docker/ on this machine without an engine. It executes the Dockerfile
 * in a folder. It starts servers and processes with the commands and environment of the compose file, and waits for
 * their health commands. It runs the real proxy with its Caddyfile, and the demo story of the README through it. Then
 * it kills workers under load, and stops all within their grace. It ends every process that it started. The exit code
 * is 1 when any check failed.
 *
 * `-- --keep` keeps the folder with logs and image; `-- --image FOLDER/image` uses an existing image.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AREAS } from '../../../activities/areas.ts';
import { rolesOf } from '../../../platform/area.ts';
import { providePart } from '../../setup/parts.mjs';
import { Progress } from '../../setup/progress.mjs';
import { getPart, projectRoot } from '../../setup/resolve.mjs';
import { Children } from '../../stack/children.ts';
import { readComposition, readTexts } from '../check/composition.ts';
import { exampleValues } from '../check/example-values.ts';
import { Addresses } from './addresses.ts';
import { buildImage, findImage } from './build-image.ts';
import { type Container, Containers, chownToNode } from './containers.ts';
import { startServers } from './local-servers.ts';
import { type NameServer, serveNames } from './name-server.ts';
import { chooseProxyPorts, type RunningProxy, startProxy } from './proxy.ts';
import { checkProxyAnswers } from './proxy-answers.ts';
import { importDemoData, makeClients, runLoadWhile, type WorkloadTarget } from './workload.ts';

const LAST_GRACE_MS = 5_000;
const PROXY_GRACE_MS = 40_000;
const LOAD_SECONDS = 20;
const DELAY_BEFORE_KILL_MS = 5_000;
/** The jobs that each process waits for, in the order of the compose file. */
const JOBS = ['mongodb-users', 'mongodb-keys-users', 'minio-bucket'];
/** The development server of Temporal knows neither certificates nor tokens: `npm run try:temporal` tries those. */
const NO_TEMPORAL_ACCESS = {
  TEMPORAL_TLS_CA_FILE: '',
  TEMPORAL_TLS_CERT_FILE: '',
  TEMPORAL_TLS_KEY_FILE: '',
  TEMPORAL_AUTH_TOKEN_FILE: '',
};
const WORKERS = rolesOf(AREAS).map(({ name }) => name);
const PROCESSES = ['auth', 'api', 'payment-page', 'journey-planner', ...WORKERS, 'codec'];

const { values: options } = parseArgs({
  options: { keep: { type: 'boolean', default: false }, image: { type: 'string' } },
});
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'samferd-docker-'));
const children = new Children();
let names: NameServer | undefined;

function report(line: string): void {
  console.log(`${String(Math.round((performance.now() - startedAt) / 1_000)).padStart(4)} s  ${line}`);
}

function newFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

async function tryComposition(): Promise<void> {
  chmodSync(folder, 0o755);
  const [ports, addresses] = [await chooseProxyPorts(), await Addresses.choose()];
  const texts = readTexts();
  const publicHost = `localhost:${ports.https}`;
  // Caddy makes its own authority. Here the processes trust it by a setting, which the composition alone does not have.
  const hosts = { PUBLIC_HOST: publicHost, PAYMENT_PAGE_HOST: `pay.${publicHost}` };
  const values = { ...exampleValues(texts.compose), ...hosts, PROXY_TLS: 'internal' };
  const composition = readComposition(texts, values);
  const { compose } = composition;
  for (const part of ['mongod', 'minio', 'temporal', 'netex-xsd', 'caddy'] as const) {
    await providePart(getPart(part), new Progress());
  }
  report(`Building the image from ${composition.contextFiles.length} files`);
  const image = options.image
    ? findImage(composition, options.image)
    : await buildImage(composition, newFolder('image'), report);
  names = await serveNames(addresses);
  report('Starting servers with passwords, and their jobs');
  await startServers({ compose, addresses, children, folder: newFolder('servers') });
  const service = compose.services.proxy;
  if (!service) throw new Error('There is no service proxy');
  const proxy = await startProxy({ service, ports, resolver: names.address, children, folder: newFolder('proxy') });
  const containers = new Containers({
    compose,
    image,
    addresses,
    children,
    folder: newFolder('containers'),
    // On this machine, connections of the proxy come from 127.0.0.1.
    places: {
      [service.networks.front?.ipv4_address ?? '']: '127.0.0.1',
      '/var/lib/ticket-keys/keys.json': join(newFolder('ticket-keys'), 'keys.json'),
    },
    // Equals docker/compose.own-ca.yaml.
    extra: (name) => ({
      ...NO_TEMPORAL_ACCESS,
      ...(['api', 'codec'].includes(name) && { NODE_EXTRA_CA_CERTS: proxy.authorityFile }),
    }),
  });
  for (const job of JOBS) for (let times = 0; times < 2; times += 1) report((await containers.run(job)).trim());
  chownToNode(join(folder, 'ticket-keys'));
  report(await containers.run('ticket-keys', ['node', 'ops/ticket-keys.ts', 'add', '--issuer', '9999']));
  await startAll(containers, PROCESSES);
  const url = `https://${publicHost}`;
  const audience = compose.services.auth?.environment.AUDIENCE ?? '';
  const target: WorkloadTarget = {
    url,
    clients: await makeClients(containers, audience),
    folder: newFolder('demo'),
    report,
  };
  await checkProxyAnswers(url, ports.http);
  report('The proxy redirects GET over plain HTTP to HTTPS, refuses other methods, and hides metrics');
  await importDemoData(target);
  report('Running the demo story');
  await runStory(target, proxy);
  await killUnderLoad(containers, target);
  await stopAll(containers, proxy);
}

/** Starts all at once, as none waits for another. */
async function startAll(containers: Containers, all: readonly string[]): Promise<void> {
  await Promise.all(
    all.map(async (name) => {
      const { address } = await containers.start(name);
      report(`${name} at ${address} is healthy by its own health command`);
    }),
  );
}

async function runStory({ folder: local }: WorkloadTarget, { authorityFile }: RunningProxy): Promise<void> {
  const args = [join(projectRoot, 'dev/demo-story.ts'), '--local', local, '--environment', 'production'];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`The story ended with ${code}`);
}

/**
 * Starts a second instance of each. Then kills the first of every worker role and stops the first API while requests
 * run.
 */
async function killUnderLoad(containers: Containers, target: WorkloadTarget): Promise<void> {
  const first: readonly Container[] = [...containers.running];
  await startAll(containers, ['api', 'auth', 'journey-planner', ...WORKERS]);
  const { profiles, requests, repeats } = await runLoadWhile(target, LOAD_SECONDS, async () => {
    await new Promise((resolve) => setTimeout(resolve, DELAY_BEFORE_KILL_MS));
    for (const container of first) {
      if (WORKERS.includes(container.service)) await containers.kill(container);
      if (container.service === 'api') await containers.stop(container);
    }
    report('Killed one worker of each role, and stopped one API process');
  });
  report(`${requests} requests: none failed, ${repeats} were repeated`);
  report(`${profiles} profiles were created and erased; the import succeeded`);
}

async function stopAll(containers: Containers, proxy: RunningProxy): Promise<void> {
  const took = await Promise.all(
    [...containers.running].map(async (each) => ({ each, ms: await containers.stop(each) })),
  );
  const longest = took.reduce((one, other) => (one.ms > other.ms ? one : other));
  const { code } = await proxy.child.stop(PROXY_GRACE_MS);
  if (code !== 0) throw new Error(`The proxy ended with ${code}`);
  report(
    `All ${took.length} processes ended within their grace; the slowest, ${longest.each.service}, took ${Math.round(longest.ms)} ms`,
  );
}

let ending: Promise<void> | undefined;
function end(): Promise<void> {
  ending ??= (async () => {
    await children.stopAll(LAST_GRACE_MS);
    await names?.close();
    if (!options.keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    else console.log(`Logs and image are kept in ${folder}`);
  })();
  return ending;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end().then(() => process.exit(1)));
try {
  await tryComposition();
  console.log('\nEvery check succeeded.');
} catch (error) {
  console.error(`\nA check failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await end();
}
