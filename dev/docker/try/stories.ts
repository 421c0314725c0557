/** What is told to the composition through its one address: the clients, the demo data, the demo story, and a load during which workers die. */
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

/** By the operator's own command, in the image, on the service's database. */
export async function makeClients(containers: Containers, audience: string): Promise<readonly NamedClient[]> {
  const made: NamedClient[] = [];
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

export interface Told {
  readonly url: string;
  readonly clients: readonly NamedClient[];
  /** For archives, and the files that the demo story reads. */
  readonly folder: string;
  readonly report: (line: string) => void;
}

export function clientOf({ clients }: Told, name: string): NamedClient {
  const found = clients.find((each) => each.name === name);
  if (!found) throw new Error(`There is no client ${name}`);
  return found;
}

export async function tellDemoData(told: Told): Promise<void> {
  const { url, folder, report } = told;
  writeFileSync(join(folder, 'endpoints.json'), JSON.stringify({ api: url, auth: url, journeyPlanner: url }));
  writeFileSync(join(folder, 'clients.json'), JSON.stringify(told.clients));
  const [operator, client] = [clientOf(told, 'operator'), clientOf(told, 'timetable-demo')];
  await importDemo({ apiUrl: url, authUrl: url, operator, client, directory: folder, onProgress: report });
}

export interface LoadOutcome {
  readonly profiles: number;
  readonly requests: number;
  /** Of the requests: sent again after a 503, by their idempotency key. */
  readonly again: number;
}

const CUSTOMERS_AT_ONCE = 4;
const PAUSE_MS = 100;
const ERASED_WITHIN_MS = 120_000;

/**
 * Travellers come and are forgotten, and a timetable is imported, while `disturb` runs. Throws for the first request that fails for good, an import
 * that does not end well, and a profile that is not erased.
 */
export async function loadWhile(told: Told, seconds: number, disturb: () => Promise<void>): Promise<LoadOutcome> {
  const { url, folder } = told;
  const partner = clientOf(told, 'partner-1');
  const { access_token: token } = await fetchToken(url, partner);
  const { access_token: timetableToken } = await fetchToken(url, clientOf(told, 'timetable-demo'));
  const timetable = new TimetableClient(url, timetableToken);
  const topic = `${url}/v1/events/customer-changed-production`;
  const call = createCaller(url, token);
  const { nextOffset } = (await call('GET', `${topic}?after=latest`, 200)) as EventPage;
  const createdAt = new Date().toISOString().slice(0, 23);
  const archive = await generateDemo({ date: todayInOslo(new Date()), directory: folder, createdAt });
  const correlationId = await timetable.upload(DEMO_CODESPACE, archive.timetable);
  const end = performance.now() + seconds * 1_000;
  const forgotten = new Set<string>();
  const travellers = Array.from({ length: CUSTOMERS_AT_ONCE }, async () => {
    while (performance.now() < end) {
      forgotten.add(await comeAndGo(call, partner.organisationId));
      await delay(PAUSE_MS);
    }
  });
  await Promise.all([...travellers, disturb()]);
  const outcome = await watchImport(timetable, DEMO_CODESPACE, correlationId, {});
  if (outcome.state !== 'OK') throw new Error(`The import under load ended ${JSON.stringify(outcome)}`);
  const profiles = forgotten.size;
  await untilErased(call, topic, nextOffset, forgotten);
  return { profiles, ...call.counts() };
}

interface EventPage {
  readonly events: readonly { readonly type: string; readonly subject: string }[];
  readonly nextOffset: number;
}

interface Call {
  (method: string, path: string, status: number, body?: object): Promise<unknown>;
  /** Requests, and how many of them had to be sent again. */
  readonly counts: () => { readonly requests: number; readonly again: number };
}

const AGAIN_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 1_000;

/**
 * As a partner's back end does it: what answers 503, or that the first request with this key still runs, is sent again with the same
 * idempotency key. Nothing else is.
 */
function createCaller(url: string, token: string): Call {
  let [requests, again] = [0, 0];
  const call = async (method: string, path: string, status: number, body?: object): Promise<unknown> => {
    requests += 1;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    for (const end = performance.now() + AGAIN_WITHIN_MS; ; again += 1) {
      const answer = await fetch(path.startsWith('http') ? path : `${url}${path}`, init);
      const text = await answer.text();
      if (answer.status === status) return text === '' ? undefined : JSON.parse(text);
      const asksForPatience = answer.status === 503 || text.includes('"IDEMPOTENCY_IN_PROGRESS"');
      if (!asksForPatience || performance.now() > end) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      }
      await delay(AGAIN_AFTER_MS);
    }
  };
  return Object.assign(call, { counts: () => ({ requests, again }) });
}

async function comeAndGo(call: Call, organisationId: number): Promise<string> {
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

async function untilErased(call: Call, topic: string, from: number, waiting: Set<string>): Promise<void> {
  const end = performance.now() + ERASED_WITHIN_MS;
  for (let after = from; waiting.size > 0; ) {
    if (performance.now() > end) throw new Error(`${waiting.size} profiles have not been erased`);
    const page = (await call('GET', `${topic}?after=${after}&wait=5`, 200)) as EventPage;
    for (const { type, subject } of page.events) if (type.includes('CustomerErased')) waiting.delete(subject);
    after = page.nextOffset;
  }
}
