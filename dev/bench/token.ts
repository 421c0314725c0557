/**
 * The authentication server under load: `npm run bench:token [-- rate seconds tries]`. Asks for tokens at a steady rate
 * (200 a second for a minute) and measures what checking one costs the API. It measures whether time distinguishes an
 * unknown client, a wrong secret and a disabled client (2,000 of each, medians within 5 %). A thousand addresses attack
 * while a client asks for tokens. Last it measures how soon the API refuses a disabled client. The whole service and
 * the clients on one machine. Fails when a bound is not held.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ClientStore } from '../../activities/auth/client-store.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { Service } from '../../test/support/service.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { type Answered, call, steadyLoad, tellLoad } from './steady-load.ts';
import { timeTokenCheck } from './token-check.ts';

const [rate = 200, seconds = 60, tries = 2_000] = process.argv.slice(2).map(Number);
const P95_LIMIT_MS = 50;
const CHECK_LIMIT_MS = 0.1;
const MEDIAN_SHARE = 0.05;
const DISABLED_LIMIT_MS = 10_000;
const ATTACKERS = 1_000;
const ATTACK_RATE = 100;
const MEMORY_LIMIT_BYTES = 64e6;
/** Fewer than the failures after which a client is full. */
const TRIES_PER_CLIENT = 8;

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Known here too, so that clients can be made and disabled without a token. */
const secretKey = randomBytes(32);
const audience = 'https://bench.example';
const service = await Service.start({
  timetable: false,
  env: { TRUSTED_PROXIES: '127.0.0.1', CLIENT_SECRET_KEY: secretKey.toString('base64'), AUDIENCE: audience },
});
const connection = await connectMongo(service.mongoUri);
const store = new ClientStore(connection, secretKey);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let addresses = 0;

async function makeClient(scopes: readonly string[] = ['events:read']): Promise<Client> {
  const { client, secret } = await store.create({ name: 'bench', organisationId: 1, codespaces: [], scopes });
  return { client_id: client.clientId, client_secret: secret };
}

const nextAddress = () => `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses++ & 255}`;

async function ask(client: Client, address: string): Promise<Answered> {
  const body = JSON.stringify({ grant_type: 'client_credentials', audience, ...client });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  return await call({ method: 'POST', url: `${service.authUrl}/oauth/token`, headers, body }, agent);
}

function expectStatuses(what: string, answers: readonly Answered[], expected: readonly number[]): void {
  const wrong = answers.find(({ status }) => !expected.includes(status));
  expectThat(`${what}${wrong ? ` (${wrong.status} ${wrong.body.slice(0, 200)})` : ''}`, wrong === undefined);
}

async function issue(): Promise<void> {
  const client = await makeClient();
  await steadyLoad(rate, 5, () => ask(client, '192.0.2.1'));
  const before = await metricOfAuth('process_cpu_seconds_total');
  const load = await steadyLoad(rate, seconds, () => ask(client, '192.0.2.1'));
  tellLoad(`${rate} tokens a second`, load);
  const cpuMs = ((await metricOfAuth('process_cpu_seconds_total')) - before) * (1000 / load.answers.length);
  console.log(`each costs the process ${cpuMs.toFixed(2)} ms of a core`);
  expectStatuses('every token was issued', load.answers, [200]);
  expectThat(`p95 ${load.p95.toFixed(1)} ms, ${P95_LIMIT_MS} allowed`, load.p95 < P95_LIMIT_MS);
}

/** One after the other and in turn, so that what else the machine does falls on all alike; each from an address of its own. */
async function compareRefusals(): Promise<void> {
  const kinds = {
    unknown: async (): Promise<Client> => ({ client_id: randomUUID(), client_secret: secret() }),
    wrong: async (): Promise<Client> => ({ ...(await makeClient()), client_secret: secret() }),
    disabled: async (): Promise<Client> => {
      const client = await makeClient();
      await store.disable(client.client_id);
      return client;
    },
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const times: Record<string, number[]> = { unknown: [], wrong: [], disabled: [] };
  const answers: Answered[] = [];
  for (let done = 0; done < tries; done += TRIES_PER_CLIENT) {
    const clients = await Promise.all(names.map(async (name) => [name, await kinds[name]()] as const));
    for (let time = 0; time < TRIES_PER_CLIENT; time += 1) {
      const turn = time % clients.length;
      for (const [name, client] of [...clients.slice(turn), ...clients.slice(0, turn)]) {
        const answer = await ask(client, nextAddress());
        answers.push(answer);
        times[name]?.push(answer.ms);
      }
    }
  }
  expectStatuses(`${tries} of each were refused`, answers, [401]);
  const medians = names.map((name) => medianOf(times[name] ?? []));
  const apart = Math.max(...medians) / Math.min(...medians) - 1;
  const text = names.map((name, index) => `${name} ${medians[index]?.toFixed(3)} ms`).join(', ');
  expectThat(`medians: ${text}: ${(apart * 100).toFixed(1)} % apart`, apart < MEDIAN_SHARE);
  expectThat('one answer', new Set(answers.map(({ body }) => body)).size === 1);
}

async function attack(): Promise<void> {
  const client = await makeClient();
  const base = nextAddress();
  console.log(`attack from ${ATTACKERS} addresses beginning with ${base}, ${ATTACK_RATE} guesses a second`);
  const before = await metricOfAuth('process_resident_memory_bytes');
  const attackers = Array.from({ length: ATTACKERS }, nextAddress);
  const guesses = steadyLoad(ATTACK_RATE, seconds, (count) =>
    ask({ ...client, client_secret: secret() }, attackers[count % ATTACKERS] ?? ''),
  );
  const served = await steadyLoad(20, seconds, () => ask(client, '192.0.2.1'));
  const refused = await guesses;
  tellLoad('guesses', refused);
  tellLoad('tokens meanwhile', served);
  expectStatuses('every guess was refused', refused.answers, [401, 429]);
  expectThat('ten were heard', refused.answers.filter(({ status }) => status === 401).length === 10);
  expectStatuses('who knows the secret was served', served.answers, [200]);
  const grown = (await metricOfAuth('process_resident_memory_bytes')) - before;
  expectThat(`the process has grown by ${(grown / 1e6).toFixed(1)} MB`, grown < MEMORY_LIMIT_BYTES);
}

async function disable(): Promise<void> {
  const client = await makeClient();
  const { access_token } = JSON.parse((await ask(client, '192.0.2.1')).body) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const read = async () => {
    const url = `${service.apiUrl}/v1/events/order-event-collections-dev`;
    return (await call({ method: 'GET', url, headers }, agent)).status;
  };
  expectThat('the API takes the token', (await read()) !== 401);
  await store.disable(client.client_id);
  const begun = performance.now();
  while ((await read()) !== 401 && performance.now() - begun < 2 * DISABLED_LIMIT_MS) await delay(20);
  const ms = performance.now() - begun;
  expectThat(`the API refuses it ${(ms / 1000).toFixed(1)} s after the client was disabled`, ms < DISABLED_LIMIT_MS);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function metricOfAuth(name: string): Promise<number> {
  const text = await (await fetch(`${service.authUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} ([\\d.e+]+)`, 'm').exec(text)?.[1]);
}

try {
  await issue();
  const check = await timeTokenCheck();
  console.log(`a token's first check ${check.firstMs.toFixed(3)} ms, each later one ${check.laterMs.toFixed(4)} ms`);
  expectThat(
    `checking costs a request under ${CHECK_LIMIT_MS} ms once the token is known`,
    check.laterMs < CHECK_LIMIT_MS,
  );
  await compareRefusals();
  await attack();
  await disable();
} finally {
  agent.destroy();
  await connection.close();
  await service.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
