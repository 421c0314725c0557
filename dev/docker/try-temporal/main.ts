/**
 * `npm run try:temporal`: starts Temporal's server with the composition's settings, on SQLite, and tries whom it takes
 * and whom it refuses. The first time it compiles the server. The exit code is 1 when any check failed; `-- --keep`
 * keeps the folder with its log.
 */
import { copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isGrpcServiceError } from '@temporalio/client';
import { makeTemporalAccess } from '../../../docker/jobs/temporal-access.ts';
import { createLog } from '../../../platform/log.ts';
import type { TemporalClient, TemporalConfig } from '../../../platform/temporal/temporal.ts';
import { Children } from '../../stack/children.ts';
import { settingsOf, startServer, type TriedServer, withClient } from './server.ts';
import { runWorkflow } from './worker.ts';

type Call = (temporal: TemporalClient) => Promise<unknown>;

const TOKEN_IN_USE_MS = 1_500;
const { values: options } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'samferd-temporal-'));
const children = new Children();
let failed = 0;

async function expectAccepted(what: string, config: TemporalConfig, call: Call): Promise<void> {
  await check(`accepted: ${what}`, async () => {
    await withClient(config, call);
    return '';
  });
}

/** `reason` is in the error of the connection or of the call. */
async function expectRefused(what: string, config: TemporalConfig, call: Call, reason: RegExp): Promise<void> {
  await check(`refused: ${what}`, async () => {
    const error = await withClient(config, call).then(
      () => undefined,
      (fault: unknown) => describe(fault),
    );
    if (error === undefined) throw new Error('it was accepted');
    if (!reason.test(error)) throw new Error(`it failed for another reason: ${error}`);
    return error;
  });
}

async function check(what: string, run: () => Promise<string>): Promise<void> {
  try {
    const detail = await run();
    console.log(`  ok    ${what}${detail && ` (${detail.slice(0, 100)})`}`);
  } catch (error) {
    failed += 1;
    console.log(`  FAULT ${what}: ${describe(error)}`);
  }
}

function describe(error: unknown): string {
  if (isGrpcServiceError(error)) return error.details;
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}

const ping: Call = (temporal) => temporal.ping();
const start: Call = ({ client }) =>
  client.workflow.start('nothing', {
    taskQueue: 'nobody',
    workflowId: 'try',
    args: [],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
const makeNamespace: Call = ({ client }) =>
  client.workflowService.registerNamespace({
    namespace: 'made-by-a-caller',
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
const listNamespaces: Call = ({ client }) => client.workflowService.listNamespaces({});

const DENIED = /unauthorized/i;
const NO_CONNECTION = /deadline|timed out|unavailable|connection|certificate|No connection|closed/i;

async function tryCallers(server: TriedServer): Promise<void> {
  const api = settingsOf(server, 'api');
  await expectAccepted('the API, with certificate and token', api, start);
  await expectAccepted('the UI, which reads', settingsOf(server, 'temporal-ui'), ping);
  await expectAccepted('the UI, which lists namespaces', settingsOf(server, 'temporal-ui'), listNamespaces);
  await expectAccepted('commands of operators', settingsOf(server, 'tools'), start);
  await expectRefused('the API, for a new namespace', api, makeNamespace, DENIED);
  await expectRefused('the API, for the list of namespaces', api, listNamespaces, DENIED);
  await expectRefused('the API, in another namespace', { ...api, TEMPORAL_NAMESPACE: 'temporal-system' }, ping, DENIED);
  await expectRefused('the UI, for a start', settingsOf(server, 'temporal-ui'), start, DENIED);
}

async function tryIntruders(server: TriedServer): Promise<void> {
  const api = settingsOf(server, 'api');
  const [plain, uncertified] = [{ ...api }, { ...api }];
  for (const name of ['TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE'] as const) delete uncertified[name];
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS } = plain;
  await expectRefused('without TLS', { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, PAYLOAD_KEYS }, ping, NO_CONNECTION);
  await expectRefused('without a certificate', uncertified, ping, NO_CONNECTION);
  const foreign = join(folder, 'foreign');
  await makeTemporalAccess({ folder: foreign, hosts: ['temporal'], callers: new Map([['api', ['samferd:admin']]]) });
  const file = (name: string) => join(foreign, 'api', name);
  const certificate = { TEMPORAL_TLS_CERT_FILE: file('cert.pem'), TEMPORAL_TLS_KEY_FILE: file('key.pem') };
  await expectRefused('with a certificate of another authority', { ...api, ...certificate }, ping, NO_CONNECTION);
  const { TEMPORAL_AUTH_TOKEN_FILE: _, ...tokenless } = api;
  await expectRefused('without a token', tokenless, ping, DENIED);
  await expectRefused(
    'with a token of another signer',
    { ...api, TEMPORAL_AUTH_TOKEN_FILE: file('token') },
    ping,
    DENIED,
  );
  await expectRefused('with a token of another namespace', settingsOf(server, 'elsewhere'), ping, DENIED);
  const inner = { ...api, TEMPORAL_ADDRESS: server.innerAddress };
  await expectRefused('a caller, at the inner service', inner, ping, NO_CONNECTION);
  const own = (name: string) => join(server.access, 'temporal', name);
  const cluster = { TEMPORAL_TLS_CERT_FILE: own('cert.pem'), TEMPORAL_TLS_KEY_FILE: own('key.pem') };
  await expectAccepted('the server itself, at the inner service', { ...inner, ...cluster }, ping);
}

/** A client that goes on while its token is taken away and given back. */
async function tryNewToken(server: TriedServer): Promise<void> {
  const token = join(folder, 'token');
  copyFileSync(join(server.access, 'elsewhere', 'token'), token);
  const config = { ...settingsOf(server, 'api'), TEMPORAL_AUTH_TOKEN_FILE: token };
  await expectAccepted('a new token, without a restart', config, async (temporal) => {
    const refusal = await temporal.ping().catch(describe);
    if (!DENIED.test(String(refusal))) throw new Error(`the old token: ${refusal}`);
    copyFileSync(join(server.access, 'api', 'token'), `${token}.new`);
    copyFileSync(`${token}.new`, token);
    await delay(TOKEN_IN_USE_MS);
    await temporal.ping();
  });
}

try {
  console.log('Starting the server of the composition with its settings, on SQLite');
  const server = await startServer(children, folder);
  await tryCallers(server);
  await tryIntruders(server);
  await tryNewToken(server);
  await check('accepted: a worker, which ends a workflow', () =>
    runWorkflow(settingsOf(server, 'sales-customers-worker'), createLog({ level: 'error', name: 'try' })),
  );
} catch (error) {
  failed += 1;
  console.error(error);
} finally {
  await children.stopAll(10_000);
  if (options.keep) console.log(folder);
  else await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
