/**
 * Reservations with seats under load: `npm run bench:orders [-- seconds]`. The whole service with the demo region shares
 * the machine with the clients. 1, 10 and 20 reservations a second for half a minute each, beside the bare writes at the
 * same rate; then an order of 50 lines that was written 2,000 times, beside a fresh one. Fails when a reservation is
 * refused, when the slowest twentieth of 10 a second takes too long, or when the old order is slower.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { Service } from '../../test/support/service.ts';
import { importDemo } from '../demo/import.ts';
import { untilPlannerAnswers } from '../demo/planner-client.ts';
import { BareReservation } from './bare-reservation.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { measureProcessors } from './processor-time.ts';
import { findSeatedOffers } from './seated-offers.ts';
import { type Answered, call, type Load, steadyLoad, summarise, tellLoad } from './steady-load.ts';

const [seconds = 30] = process.argv.slice(2).map(Number);
const RATES = [1, 10, 20];
const PROMISED_RATE = 10;
const P95_LIMIT_MS = 150;
const WARM_UP_SECONDS = 10;
const DAYS = 10;
const [LINES, REVISIONS, MEASURED] = [50, 2_000, 200];
/** By chance medians lie so far apart. */
const MOST_SLOWER = 1.25;
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';

const directory = mkdtempSync(join(tmpdir(), 'samferd-bench-orders-'));
const imports = ['timetableWorker', 'timetableValidationWorker', 'plannerBuildWorker', 'journeyPlanner'] as const;
const service = await Service.start({ planner: true, processes: [...imports, 'salesOrdersWorker', 'eventsWorker'] });
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let token = '';

async function send(method: string, path: string, body?: object): Promise<Answered> {
  const common = { authorization: `Bearer ${token}`, 'service-distribution-channel': CHANNEL };
  const headers = body ? { ...common, 'content-type': 'application/json', 'idempotency-key': randomUUID() } : common;
  const json = body && { body: JSON.stringify(body) };
  return await call({ method, url: `${service.apiUrl}${path}`, headers, ...json }, agent);
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const answer = await send(body ? 'POST' : 'GET', path, body);
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body) as T;
}

function tellProcessors(used: Readonly<Record<string, number>>, count: number): void {
  const figures = Object.entries(used).map(([name, spent]) => `${name} ${((1_000 * spent) / count).toFixed(1)}`);
  console.log(`each took, in ms of a core: ${figures.join(', ')}`);
}

let reserved = 0;
const reserve = (offers: readonly string[]): Promise<Answered> =>
  send('POST', '/v1/reserve-offers', { offerConfigurations: [{ offerId: offers[reserved++ % offers.length] }] });

async function measureRates(offers: readonly string[]): Promise<void> {
  const warm = await steadyLoad(PROMISED_RATE, WARM_UP_SECONDS, () => reserve(offers));
  const apart = new URL(service.mongoUri);
  apart.pathname = '/bare';
  const [from, to] = [await connectMongo(service.mongoUri), await connectMongo(apart.href)];
  const bare = await BareReservation.of(from, to, warm.answers.at(-1)?.body ?? '');
  await steadyLoad(PROMISED_RATE, WARM_UP_SECONDS, () => bare.write());
  for (const rate of RATES) {
    const measured = measureProcessors({ api: service.pid('api'), mongod: service.pid('mongod') });
    const load = await steadyLoad(rate, seconds, () => reserve(offers));
    tellLoad(`${rate} reservations a second`, load);
    tellProcessors(measured(), load.answers.length);
    const alone = measureProcessors({ mongod: service.pid('mongod') });
    const writes = await steadyLoad(rate, seconds, () => bare.write());
    tellLoad(`${rate} times the bare writes a second`, writes);
    tellProcessors(alone(), writes.answers.length);
    expectAnswers(load);
    if (rate === PROMISED_RATE)
      expectThat(`p95 ${load.p95.toFixed(1)} ms, ${P95_LIMIT_MS} allowed`, load.p95 < P95_LIMIT_MS);
  }
  await Promise.all([from.close(), to.close()]);
}

function expectAnswers({ answers }: Load): void {
  const wrong = answers.find(({ status }) => status !== 200);
  expectThat(`every reservation was made${wrong ? ` (${wrong.status} ${wrong.body.slice(0, 300)})` : ''}`, !wrong);
}

async function createLarge(offers: readonly string[]): Promise<string> {
  let orderId: string | undefined;
  for (let lines = 0; lines < LINES; ) {
    const offerConfigurations = [{ offerId: offers[reserved++ % offers.length] }];
    const body = { offerConfigurations, ...(orderId !== undefined && { orderId }) };
    const made = await ask<{ readonly orderId: string; readonly orderLineIds: readonly string[] }>(
      '/v1/reserve-offers',
      body,
    );
    orderId = made.orderId;
    lines += made.orderLineIds.length;
  }
  return orderId ?? '';
}

const refer = (orderId: string): Promise<Answered> =>
  send('PUT', `/v1/orders/${orderId}/external-reference`, { externalReference: randomUUID() });

/** In turn, so that other work of the machine meets all alike. */
async function compareOrders(offers: readonly string[]): Promise<void> {
  const orders = { old: await createLarge(offers), fresh: await createLarge(offers) };
  for (let revision = 0; revision < REVISIONS; revision++) await refer(orders.old);
  const [writes, reads] = [
    { old: [] as Answered[], fresh: [] as Answered[] },
    { old: [] as Answered[], fresh: [] as Answered[] },
  ];
  for (let at = 0; at < MEASURED; at++) {
    for (const name of at % 2 ? (['old', 'fresh'] as const) : (['fresh', 'old'] as const)) {
      writes[name].push(await refer(orders[name]));
      reads[name].push(await send('GET', `/v1/orders/${orders[name]}`));
    }
  }
  for (const [what, { old, fresh }] of [['writes', writes] as const, ['reads', reads] as const]) {
    const loads = { old: summarise(old), fresh: summarise(fresh) };
    tellLoad(`${what} of ${LINES} lines after ${REVISIONS} revisions`, loads.old);
    tellLoad(`${what} of ${LINES} lines, fresh`, loads.fresh);
    const share = loads.old.p50 / loads.fresh.p50;
    expectThat(`the old order takes ${share.toFixed(2)} of the fresh one's time`, share < MOST_SLOWER);
  }
}

try {
  const parties = { operator: await service.credentials(), client: await service.credentials() };
  await importDemo({ apiUrl: service.apiUrl, authUrl: service.authUrl, ...parties, directory });
  await untilPlannerAnswers(service.plannerUrl);
  token = await service.token(['offers:search', 'orders:read', 'orders:write']);
  const offers = await findSeatedOffers(ask, DAYS);
  console.log(`${offers.length} journeys with compulsory seats`);
  await measureRates(offers);
  await compareOrders(offers);
} finally {
  agent.destroy();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = hasFailed() ? 1 : 0;
