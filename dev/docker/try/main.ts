/**
 * `npm run try:docker`: what docker/ describes, on this machine, without an engine. Carries out the Dockerfile in a folder, starts servers
 * and processes by the compose file's own commands and environment and asks their own health commands, puts the real proxy with its own
 * Caddyfile before them, and has the README's story told through its one address; then workers die under load; then all stop within
 * their grace. Ends every process it started; exit code 1 when anything was not as it should be.
 *
 * `-- --keep` leaves the folder with logs and image; `-- --image FOLDER/image` takes one that is there already.
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
import { type Container, Containers } from './containers.ts';
import { startServers } from './local-servers.ts';
import { type NameServer, serveNames } from './name-server.ts';
import { chooseProxyPorts, type RunningProxy, startProxy } from './proxy.ts';
import { checkProxyAnswers } from './proxy-answers.ts';
import { loadWhile, makeClients, type Told, tellDemoData } from './stories.ts';

const LAST_GRACE_MS = 5_000;
const PROXY_GRACE_MS = 40_000;
const LOAD_SECONDS = 20;
const CALM_MS = 5_000;
/** In the order of the compose file; each waits for the jobs. */
const JOBS = ['mongodb-users', 'minio-bucket'];
const WORKERS = rolesOf(AREAS).map(({ name }) => name);
const PROCESSES = ['auth', 'api', 'journey-planner', ...WORKERS, 'codec'];

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
  // An authority that Caddy makes by itself: here the processes are told of it, in the composition nobody would tell them.
  const values = { ...exampleValues(texts.compose), PUBLIC_HOST: publicHost, PROXY_TLS: 'internal' };
  const composition = readComposition(texts, values);
  const { compose } = composition;
  for (const part of ['mongod', 'minio', 'temporal', 'netex-xsd', 'caddy'] as const) {
    await providePart(getPart(part), new Progress());
  }
  report(`The image, of ${composition.contextFiles.length} files`);
  const image = options.image
    ? findImage(composition, options.image)
    : await buildImage(composition, newFolder('image'), report);
  names = await serveNames(addresses);
  report('Servers, with passwords, and their jobs');
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
    // Connections of this machine to itself come from its first address.
    places: { [service.networks.front?.ipv4_address ?? '']: '127.0.0.1' },
    // As docker/compose.own-ca.yaml does.
    extra: (name) => (['api', 'codec'].includes(name) ? { NODE_EXTRA_CA_CERTS: proxy.authorityFile } : {}),
  });
  for (const job of JOBS) for (let times = 0; times < 2; times += 1) report((await containers.run(job)).trim());
  await startAll(containers, PROCESSES);
  const url = `https://${publicHost}`;
  const audience = compose.services.auth?.environment.AUDIENCE ?? '';
  const told: Told = { url, clients: await makeClients(containers, audience), folder: newFolder('demo'), report };
  await checkProxyAnswers(url, ports.http);
  report('Plain HTTP is sent to HTTPS for reading and refused for the rest; figures are shown to nobody');
  await tellDemoData(told);
  report('The story of the README');
  await tellStory(told, proxy);
  await killUnderLoad(containers, told);
  await stopAll(containers, proxy);
}

/** Side by side, as none waits for another. */
async function startAll(containers: Containers, all: readonly string[]): Promise<void> {
  await Promise.all(
    all.map(async (name) => {
      const { address } = await containers.start(name);
      report(`${name} at ${address} is well, by its own health command`);
    }),
  );
}

async function tellStory({ folder: local }: Told, { authorityFile }: RunningProxy): Promise<void> {
  const args = [join(projectRoot, 'dev/demo-story.ts'), '--local', local, '--environment', 'production'];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`The story ended with ${code}`);
}

/** Two of each; then the first of every worker role is killed, and the first API told to stop, while callers go on. */
async function killUnderLoad(containers: Containers, told: Told): Promise<void> {
  const first: readonly Container[] = [...containers.running];
  await startAll(containers, ['api', 'auth', 'journey-planner', ...WORKERS]);
  const { profiles, requests, again } = await loadWhile(told, LOAD_SECONDS, async () => {
    await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    for (const container of first) {
      if (WORKERS.includes(container.service)) await containers.kill(container);
      if (container.service === 'api') await containers.stop(container);
    }
    report('Killed: one of each worker role; stopped: one API');
  });
  report(`${requests} requests, none failed, ${again} had to be sent again`);
  report(`${profiles} profiles came and were erased, the import ended well`);
}

async function stopAll(containers: Containers, proxy: RunningProxy): Promise<void> {
  const took = await Promise.all(
    [...containers.running].map(async (each) => ({ each, ms: await containers.stop(each) })),
  );
  const longest = took.reduce((one, other) => (one.ms > other.ms ? one : other));
  const { code } = await proxy.child.stop(PROXY_GRACE_MS);
  if (code !== 0) throw new Error(`The proxy ended with ${code}`);
  report(
    `All ${took.length} processes ended by themselves, ${longest.each.service} last, after ${Math.round(longest.ms)} ms`,
  );
}

let ending: Promise<void> | undefined;
function end(): Promise<void> {
  ending ??= (async () => {
    await children.stopAll(LAST_GRACE_MS);
    await names?.close();
    if (!options.keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    else console.log(`Left in ${folder}`);
  })();
  return ending;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end().then(() => process.exit(1)));
try {
  await tryComposition();
  console.log('\nAll as it should be.');
} catch (error) {
  console.error(`\nNot as it should be: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  await end();
}
