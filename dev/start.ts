/**
 * `npm start`: the whole service on this machine, with demo data, until Ctrl-C. Starts the servers, then the service's
 * own processes, keeps them running, says where they are, and stops them in order. It stores its state in `.local/`.
 *
 * `npm start -- --without-demo` imports no demo data; `--local DIR` keeps the state elsewhere. `--each-alone` runs
 * every worker role and server in a process of its own, as the composition does.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { INSTALLATION_FILE } from '../ops/installation.ts';
import { makeDocuments } from './contract/documents.ts';
import { ensureDemo } from './demo/import.ts';
import { untilPlannerAnswers } from './demo/planner-client.ts';
import { ensureIde } from './ide/ensure.ts';
import { Children } from './stack/children.ts';
import { choosePorts } from './stack/chosen-ports.ts';
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
  localSecrets,
  prepareServers,
} from './stack/prepare.ts';
import { findAgeSeconds } from './stack/process-table.ts';
import { type Part, PortTaken, SUPERVISOR_LIMITS, Supervisor } from './stack/supervisor.ts';
import { describeStack } from './stack/welcome.ts';

const LAST_GRACE_MS = 500;
const MOST_STARTS = 3;
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
let supervisor = newSupervisor();

function newSupervisor(): Supervisor {
  return new Supervisor({ children, report, ...SUPERVISOR_LIMITS });
}

function report(line: string): void {
  process.stdout.write(`${new Date().toTimeString().slice(0, 8)}  ${line}\n`);
}

/** Brings everything up. Throws what keeps a part from coming up. */
async function start(signal: AbortSignal, starter: number): Promise<void> {
  for (const file of PUBLISHED_FILES) state.remove(file);
  const left = await endLeftovers(state);
  if (left.length > 0) report(`Ended what an earlier start had left running: ${left.join(', ')}`);
  const { ports, remarks } = await choosePorts(state);
  for (const remark of remarks) report(remark);
  const secrets = localSecrets(state);
  const context: StackContext = { state, ports, secrets, env: process.env };
  const [ideDirectory] = await Promise.all([
    ensureIde(),
    startServers(context),
    buildBundle(context, children),
    buildPlanner(context),
    makeDocuments(),
  ]);
  await endBundler();
  signal.throwIfAborted();
  await supervisor.start(serviceParts(context, { ideDirectory, eachAlone: options['each-alone'] }));
  const missing = options['without-demo'] ? undefined : await provideDemoData(context, signal);
  const endpoints = listEndpoints(ports, secrets, process.env);
  state.write('endpoints.json', endpoints);
  state.write('clients.json', listClients(context));
  state.write(INSTALLATION_FILE, listSettings(ports, secrets, process.env));
  process.stdout.write(describeStack(endpoints, findAgeSeconds(starter) ?? process.uptime(), missing));
}

/** A new machine compiles for minutes between the choice of ports and their use, and other clones start meanwhile. */
async function startOnFreePorts(signal: AbortSignal): Promise<void> {
  for (let left = MOST_STARTS; ; left -= 1) {
    try {
      await start(signal, starter);
      return;
    } catch (error) {
      if (!(error instanceof PortTaken) || left === 1) throw error;
      report(`${error.message}: starting again with other ports`);
      await supervisor.stop();
      supervisor = newSupervisor();
    }
  }
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

/** The service runs without it too. Answers why it is missing; the next start tries again. */
async function provideDemoData(context: StackContext, signal: AbortSignal): Promise<string | undefined> {
  const { api = '', auth = '' } = listEndpoints(context.ports, context.secrets, context.env);
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
    await untilPlannerAnswers(listEndpoints(context.ports, context.secrets, context.env).journeyPlanner ?? '', signal);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : String(error);
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

// The user's wait began with npm, whose first script is the set-up.
const starter = Number(process.env.STARTED_BY ?? process.pid);
const other = state.take();
if (other !== undefined) {
  process.stderr.write(
    `Samferd already runs from this folder (process ${other.pid}): stop that one first, or use it.\n`,
  );
  process.exit(1);
}
const ending = endOnSignals({ stop, kill: () => supervisor.kill(), report });
try {
  await startOnFreePorts(ending.signal);
  while (!ending.signal.aborted) await delay(60_000, undefined, { signal: ending.signal }).catch(() => undefined);
} catch (error) {
  if (!ending.signal.aborted) {
    process.stderr.write(`\nSamferd could not start: ${error instanceof Error ? error.message : error}\n`);
    await ending.finish(1);
  }
}
await ending.finish(0);
