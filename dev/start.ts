/**
 * `npm start`: the whole service on this machine, with demo data, until Ctrl-C. Starts the servers, then the service's own processes, keeps
 * them running, says where they are, and stops them in order. What it stores lies in `.local/`.
 *
 * `npm start -- --without-demo` imports no demo data; `--local DIR` keeps the state elsewhere; `--each-alone` runs every worker role and
 * server in a process of its own, as the composition does.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { INSTALLATION_FILE } from '../ops/installation.ts';
import { ensureDemo } from './demo/import.ts';
import { untilPlannerAnswers } from './demo/planner-client.ts';
import { ensureIde } from './ide/ensure.ts';
import { Children } from './stack/children.ts';
import { choosePorts } from './stack/chosen-ports.ts';
import { DEVELOPMENT_CLIENTS } from './stack/development-clients.ts';
import { endOnSignals } from './stack/ending.ts';
import { listEndpoints, listSettings } from './stack/endpoints.ts';
import { endLeftovers, recordProcesses } from './stack/leftovers.ts';
import { LocalState } from './stack/local-state.ts';
import { provideMinio } from './stack/minio.ts';
import { type StackContext, serverParts, serviceParts } from './stack/parts.ts';
import {
  buildBundle,
  buildPlanner,
  type ClientEntry,
  endBundler,
  listClients,
  prepareServers,
} from './stack/prepare.ts';
import { ensureSecrets } from './stack/secrets.ts';
import { type Part, SUPERVISOR_LIMITS, Supervisor } from './stack/supervisor.ts';
import { describeStack } from './stack/welcome.ts';

const LAST_GRACE_MS = 500;
const PUBLISHED_FILES = ['endpoints.json', 'clients.json', INSTALLATION_FILE];

const { values: options } = parseArgs({
  options: {
    local: { type: 'string' },
    'without-demo': { type: 'boolean', default: false },
    'each-alone': { type: 'boolean', default: false },
  },
});
const state = new LocalState(options.local);
const children = new Children((running) => recordProcesses(state, running));
const supervisor = new Supervisor({ children, report, ...SUPERVISOR_LIMITS });

function report(line: string): void {
  process.stdout.write(`${new Date().toTimeString().slice(0, 8)}  ${line}\n`);
}

/** Brings everything up. Throws what keeps a part from coming up. */
async function start(signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  for (const file of PUBLISHED_FILES) state.remove(file);
  const left = await endLeftovers(state);
  if (left.length > 0) report(`Ended what an earlier start had left running: ${left.join(', ')}`);
  const { ports, remarks } = await choosePorts(state);
  for (const remark of remarks) report(remark);
  const secrets = ensureSecrets(
    state,
    DEVELOPMENT_CLIENTS.map(({ name }) => name),
  );
  const context: StackContext = { state, ports, secrets, env: process.env };
  const [ideDirectory] = await Promise.all([
    ensureIde(),
    startServers(context),
    buildBundle(context, children),
    buildPlanner(context),
  ]);
  await endBundler();
  signal.throwIfAborted();
  await supervisor.start(serviceParts(context, { ideDirectory, eachAlone: options['each-alone'] }));
  if (!options['without-demo']) await provideDemoData(context, signal);
  const endpoints = listEndpoints(ports, process.env);
  state.write('endpoints.json', endpoints);
  state.write('clients.json', listClients(context));
  state.write(INSTALLATION_FILE, listSettings(ports, secrets, process.env));
  process.stdout.write(describeStack(endpoints, (performance.now() - startedAt) / 1000));
}

/** The object store joins the others when it is there: on a new machine that takes minutes. */
async function startServers(context: StackContext): Promise<void> {
  const parts = serverParts(context);
  const isObjectStore = (part: Part): boolean => part.process.name === 'minio';
  await Promise.all([
    supervisor.start(parts.filter((part) => !isObjectStore(part))),
    provideMinio(context, children, report).then(() => supervisor.start(parts.filter(isObjectStore))),
  ]);
  await prepareServers(context);
}

/** The service runs without it too: a failure is reported, and the next start tries again. */
async function provideDemoData(context: StackContext, signal: AbortSignal): Promise<void> {
  const { api = '', auth = '' } = listEndpoints(context.ports, context.env);
  const clients = listClients(context);
  try {
    await ensureDemo({
      apiUrl: api,
      authUrl: auth,
      operator: getClient(clients, 'operator'),
      client: getClient(clients, 'timetable-demo'),
      directory: state.folder('demo'),
      signal,
      onProgress: report,
    });
    await untilPlannerAnswers(listEndpoints(context.ports, context.env).journeyPlanner ?? '', signal);
  } catch (error) {
    signal.throwIfAborted();
    report(`The demo data could not be imported: ${error instanceof Error ? error.message : error}`);
  }
}

function getClient(clients: readonly ClientEntry[], name: string): ClientEntry {
  const found = clients.find((client) => client.name === name);
  if (found === undefined) throw new Error(`There is no development client ${name}`);
  return found;
}

async function stop(): Promise<void> {
  for (const file of PUBLISHED_FILES) state.remove(file);
  await supervisor.stop();
  await children.stopAll(LAST_GRACE_MS);
  state.release();
}

const other = state.take();
if (other !== undefined) {
  process.stderr.write(
    `Samferd already runs from this folder (process ${other.pid}): stop that one first, or use it.\n`,
  );
  process.exit(1);
}
const ending = endOnSignals({ stop, kill: () => supervisor.kill(), report });
try {
  await start(ending.signal);
  while (!ending.signal.aborted) await delay(60_000, undefined, { signal: ending.signal }).catch(() => undefined);
} catch (error) {
  if (!ending.signal.aborted) {
    process.stderr.write(`\nSamferd could not start: ${error instanceof Error ? error.message : error}\n`);
    await ending.finish(1);
  }
}
await ending.finish(0);
