/**
 * Sends requests through the one address of the composition: makes clients, imports the demo data, and produces a load
 * while workers are killed.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ClientCredentials, fetchToken, TimetableClient } from '../../demo/api-client.ts';
import { generateDemo } from '../../demo/generate.ts';
import { DEMO_CODESPACE, importDemo } from '../../demo/import.ts';
import { todayInOslo } from '../../demo/service-days.ts';
import { watchImport } from '../../demo/watch-import.ts';
import { DEVELOPMENT_CLIENTS } from '../../stack/development-clients.ts';
import type { Containers } from './containers.ts';

export type NamedClient = ClientCredentials & { readonly name: string; readonly organisationId: number };

const NAMES = ['operator', 'timetable-demo', 'partner-1'];

/**
 * Makes clients with the operator's own command, in the image, on the service's database. The first one can only make others.
 */
export async function makeClients(containers: Containers, audience: string): Promise<readonly NamedClient[]> {
  const made: NamedClient[] = [];
  const first = ['create', '--name', 'first', '--organisation', '1000', '--scopes', 'clients:write', '--operator'];
  await containers.run('tools', ['node', 'ops/client.ts', ...first]);
  for (const { name, organisationId, scopes, codespaces } of DEVELOPMENT_CLIENTS) {
    if (!NAMES.includes(name)) continue;
    const rights = ['--organisation', String(organisationId), '--scopes', scopes.join(' ')];
    const more = codespaces.length > 0 ? ['--codespaces', codespaces.join(',')] : [];
    const command = ['node', 'ops/client.ts', 'create', '--name', name, ...rights, ...more, '--operator'];
    const { client_id, client_secret } = JSON.parse(await containers.run('tools', command)) as ClientCredentials;
    made.push({ name, client_id, client_secret, audience, organisationId });
  }
  return made;
}

export interface WorkloadTarget {
  readonly url: string;
  readonly clients: readonly NamedClient[];
  /** Holds archives, and the files that the demo story reads. */
  readonly folder: string;
  readonly report: (line: string) => void;
}

export function clientOf({ clients }: WorkloadTarget, name: string): NamedClient {
  const found = clients.find((each) => each.name === name);
  if (!found) throw new Error(`There is no client ${name}`);
  return found;
}

export async function importDemoData(target: WorkloadTarget): Promise<void> {
  const { url, folder, report } = target;
  writeFileSync(join(folder, 'endpoints.json'), JSON.stringify({ api: url, auth: url, journeyPlanner: url }));
  writeFileSync(join(folder, 'clients.json'), JSON.stringify(target.clients));
  const [operator, client] = [clientOf(target, 'operator'), clientOf(target, 'timetable-demo')];
  await importDemo({ apiUrl: url, authUrl: url, operator, client, directory: folder, onProgress: report });
}

export interface LoadOutcome {
  readonly profiles: number;
  readonly requests: number;
  /** Requests that were sent again with the same idempotency key. */
  readonly repeats: number;
}

const CUSTOMERS_AT_ONCE = 4;
const PAUSE_MS = 100;
const ERASURE_LIMIT_MS = 120_000;

/**
 * Creates and deletes profiles and imports a timetable while `disturb` runs. Throws for a request that fails
 * permanently, an import that fails, or a profile that is not erased.
 */
export async function runLoadWhile(
  target: WorkloadTarget,
  seconds: number,
  disturb: () => Promise<void>,
): Promise<LoadOutcome> {
  const { url, folder } = target;
  const partner = clientOf(target, 'partner-1');
  const { access_token: token } = await fetchToken(url, partner);
  const { access_token: timetableToken } = await fetchToken(url, clientOf(target, 'timetable-demo'));
  const timetable = new TimetableClient(url, timetableToken);
  const topic = `${url}/v1/events/customer-changed-production`;
  const call = createCaller(url, token);
  const { nextOffset } = (await call('GET', `${topic}?after=latest`, 200)) as EventPage;
  const createdAt = new Date().toISOString().slice(0, 23);
  const archive = await generateDemo({ date: todayInOslo(new Date()), directory: folder, createdAt });
  const correlationId = await timetable.upload(DEMO_CODESPACE, archive.timetable);
  const end = performance.now() + seconds * 1_000;
  const deleted = new Set<string>();
  const customers = Array.from({ length: CUSTOMERS_AT_ONCE }, async () => {
    while (performance.now() < end) {
      deleted.add(await createAndDeleteProfile(call, partner.organisationId));
      await delay(PAUSE_MS);
    }
  });
  await Promise.all([...customers, disturb()]);
  const outcome = await watchImport(timetable, DEMO_CODESPACE, correlationId, {});
  if (outcome.state !== 'OK') throw new Error(`The import under load ended ${JSON.stringify(outcome)}`);
  const profiles = deleted.size;
  await waitUntilErased(call, topic, nextOffset, deleted);
  return { profiles, ...call.counts() };
}

interface EventPage {
  readonly events: readonly { readonly type: string; readonly subject: string }[];
  readonly nextOffset: number;
}

interface Call {
  (method: string, path: string, status: number, body?: object): Promise<unknown>;
  /** The number of requests, and how many were sent again. */
  readonly counts: () => { readonly requests: number; readonly repeats: number };
}

const REPEAT_LIMIT_MS = 60_000;
const REPEAT_DELAY_MS = 1_000;

/**
 * Makes requests as a partner's back end does. It repeats a request with the same idempotency key after 503, and while
 * the first request with this key still runs. It repeats nothing else.
 */
function createCaller(url: string, token: string): Call {
  let [requests, repeats] = [0, 0];
  const call = async (method: string, path: string, status: number, body?: object): Promise<unknown> => {
    requests += 1;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    for (const end = performance.now() + REPEAT_LIMIT_MS; ; repeats += 1) {
      const answer = await fetch(path.startsWith('http') ? path : `${url}${path}`, init);
      const text = await answer.text();
      if (answer.status === status) return text === '' ? undefined : JSON.parse(text);
      const mayRepeat = answer.status === 503 || text.includes('"IDEMPOTENCY_IN_PROGRESS"');
      if (!mayRepeat || performance.now() > end) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      }
      await delay(REPEAT_DELAY_MS);
    }
  };
  return Object.assign(call, { counts: () => ({ requests, repeats }) });
}

async function createAndDeleteProfile(call: Call, organisationId: number): Promise<string> {
  const person = { firstName: 'Kari', surname: 'Nordmann', email: `${randomUUID()}@example.org`, organisationId };
  const expirationDate = new Date(Date.now() + 86_400_000).toISOString();
  const by = { createdBy: 'try', createdByChannel: 'try' };
  const made = await call('POST', '/customers/v2/profiles/temporary', 201, { ...person, ...by, expirationDate });
  const { customerNumber } = made as { customerNumber: string };
  await call('GET', `/customers/v2/profiles/${customerNumber}`, 200);
  const changed = { changedBy: 'try', changedByChannel: 'try' };
  await call('POST', `/customers/v2/profiles/temporary/${customerNumber}/convert`, 200, changed);
  await call('DELETE', `/customers/v2/profiles/${customerNumber}`, 202);
  return customerNumber;
}

async function waitUntilErased(call: Call, topic: string, from: number, waiting: Set<string>): Promise<void> {
  const end = performance.now() + ERASURE_LIMIT_MS;
  for (let after = from; waiting.size > 0; ) {
    if (performance.now() > end) throw new Error(`${waiting.size} profiles have not been erased`);
    const page = (await call('GET', `${topic}?after=${after}&wait=5`, 200)) as EventPage;
    for (const { type, subject } of page.events) if (type.includes('CustomerErased')) waiting.delete(subject);
    after = page.nextOffset;
  }
}
