/**
 * Payments under load: `npm run bench:payments [-- seconds]`. The whole service, the provider simulator and the clients share
 * the machine. Customers have authorised before; then 1, 2 and 5 captures a second for half a minute each. Tells how long
 * the caller waits, and how long after the provider's answer the order is CONFIRMED; and what each payment costs in workflow
 * tasks, activities, writes and processor time. Fails when a capture is refused or an order is not confirmed.
 */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ORDERS_COLLECTION } from '../../activities/orders/order-document.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { Service } from '../../test/support/service.ts';
import { captureWorkflowId } from '../../workflows/payments/messages.ts';
import type { LedgerEntry } from '../provider-simulator/control.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { countWrites, type WriteCounts, workflowCosts, writesEach } from './payment-costs.ts';
import { measureProcessors } from './processor-time.ts';
import { type Answered, call, steadyLoad, summarise, tellLoad } from './steady-load.ts';

const [seconds = 30] = process.argv.slice(2).map(Number);
const RATES = [1, 2, 5];
const WARM_UP = 20;
const PREPARED_AT_ONCE = 6;
const IDLE_MS = 10_000;
const SETTLE_MS = 3_000;
const READ_HISTORIES = 20;
const CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const CARD = '4111111111111111';
const AMOUNT = '349.00';
const SCOPES = ['orders:read', 'orders:write', 'orders:price', 'payments:read', 'payments:write'];
const PROCESSES = ['salesOrdersWorker', 'salesPaymentsWorker', 'eventsWorker', 'providerSimulator'] as const;
const MEASURED = ['api', 'salesPaymentsWorker', 'eventsWorker', 'mongod', 'temporal'] as const;

interface Authorised {
  readonly orderId: string;
  readonly paymentId: number;
  readonly transactionId: number;
}

const service = await Service.start({ timetable: false, processes: PROCESSES });
const connection = await connectMongo(service.mongoUri);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const token = await service.token(SCOPES);

async function send(method: string, path: string, body?: object): Promise<Answered> {
  const common = { authorization: `Bearer ${token}`, 'service-distribution-channel': CHANNEL };
  const headers = { ...common, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  return await call(
    { method, url: `${service.apiUrl}${path}`, headers, ...(body && { body: JSON.stringify(body) }) },
    agent,
  );
}

async function made<T>(path: string, body: object): Promise<T> {
  const answer = await send('POST', path, body);
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.body}`);
  return JSON.parse(answer.body) as T;
}

/** An order, its payment, and a customer who has paid at the terminal. */
async function authorise(): Promise<Authorised> {
  const { id: orderId } = await made<{ id: string }>('/v1/orders', {});
  const price = { amount: AMOUNT, taxRate: 12 };
  await made(`/v1/orders/${orderId}/fees`, { type: 'MANUAL', price, reason: 'Measured' });
  const transaction = { amount: AMOUNT, paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
  const payment = await made<{ paymentId: number; transactionHistory: { transactionId: number }[] }>('/v1/payments', {
    ...{ orderId, orderVersion: 1, totalAmount: AMOUNT, transaction },
  });
  const { paymentId } = payment;
  const transactionId = payment.transactionHistory[0]?.transactionId ?? 0;
  const path = `/v1/payments/${paymentId}/transactions/${transactionId}/terminal`;
  const { terminalUri } = await made<{ terminalUri: string }>(path, { redirectUrl: 'http://127.0.0.1:9/shop' });
  await fetch(terminalUri, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ cardNumber: CARD, pay: '1' }) },
  });
  return { orderId, paymentId, transactionId };
}

async function authoriseMany(count: number): Promise<readonly Authorised[]> {
  const all: Authorised[] = [];
  const worker = async (): Promise<void> => {
    while (all.length + running < count) {
      running++;
      const one = await authorise();
      running--;
      all.push(one);
    }
  };
  let running = 0;
  await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, worker));
  return all;
}

const capture = ({ paymentId, transactionId }: Authorised): Promise<Answered> =>
  send('PUT', `/v1/payments/${paymentId}/transactions/${transactionId}/capture`);

/** From the provider's capture until its order was confirmed; both by clocks of this machine. */
async function confirmedAfter(paid: readonly Authorised[]): Promise<readonly number[]> {
  const answer = await fetch(`${service.url('providerSimulator')}/ledger`);
  const { entries } = (await answer.json()) as { readonly entries: readonly LedgerEntry[] };
  const captured = new Map(entries.map(({ reference, captures }) => [reference, captures[0]?.at]));
  const ids = paid.map(({ orderId }) => orderId as never);
  const orders = await ORDERS_COLLECTION.open(connection)
    .find({ _id: { $in: ids } })
    .toArray();
  const confirmed = new Map(orders.map((order) => [String(order._id), order]));
  return paid.map(({ orderId, paymentId, transactionId }) => {
    const order = confirmed.get(orderId);
    const at = captured.get(`${paymentId}/${transactionId}`);
    if (order?.status !== 'CONFIRMED' || order.lastConfirmedAt === undefined || at === undefined)
      throw new Error(`${orderId} is ${order?.status}`);
    return order.lastConfirmedAt.getTime() - new Date(at).getTime();
  });
}

async function idleWrites(): Promise<(collection: string, ms: number) => number> {
  const before = await countWrites(connection);
  await delay(IDLE_MS);
  const after = await countWrites(connection);
  return (name, ms) => (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * ms) / IDLE_MS;
}

function tellWrites(before: WriteCounts, after: WriteCounts, payments: number, idle: (name: string) => number): void {
  const each = writesEach(before, after, { payments, idle });
  const total = each.reduce((sum, [, writes]) => sum + writes, 0);
  console.log(`each took ${total.toFixed(1)} writes: ${each.map(([name, n]) => `${name} ${n.toFixed(1)}`).join(', ')}`);
}

async function measure(rate: number, idle: (collection: string, ms: number) => number): Promise<void> {
  const paid = await authoriseMany(rate * seconds);
  await delay(SETTLE_MS);
  const [before, begunAt] = [await countWrites(connection), Date.now()];
  const measured = measureProcessors(Object.fromEntries(MEASURED.map((name) => [name, service.pid(name)])));
  const load = await steadyLoad(rate, seconds, (count) => capture(paid[count] as Authorised));
  await delay(SETTLE_MS);
  const used = measured();
  const after = await countWrites(connection);
  const lastedMs = Date.now() - begunAt;
  tellLoad(`${rate} captures a second, as the caller waits`, load);
  const wrong = load.answers.find(({ status }) => status !== 200);
  expectThat(`every capture was made${wrong ? ` (${wrong.status} ${wrong.body.slice(0, 300)})` : ''}`, !wrong);
  const times = await confirmedAfter(paid);
  tellLoad('CONFIRMED after the provider', summarise(times.map((ms) => ({ ms, status: 200, body: '' }))));
  tellWrites(before, after, paid.length, (name) => idle(name, lastedMs));
  const figures = Object.entries(used).map(([name, spent]) => `${name} ${((1_000 * spent) / paid.length).toFixed(0)}`);
  console.log(`and, in ms of a core: ${figures.join(', ')}`);
  const ids = paid.slice(0, READ_HISTORIES).map((each) => captureWorkflowId(each as never));
  const { tasks, activities, localActivities } = await workflowCosts(service.temporalAddress, ids);
  const costs = [`${tasks.toFixed(1)} workflow tasks`, `${activities.toFixed(1)} activities`];
  console.log(`and, from its terminal on, ${costs.join(', ')}, ${localActivities.toFixed(1)} local activities`);
}

try {
  for (const one of await authoriseMany(WARM_UP)) await capture(one);
  const idle = await idleWrites();
  for (const rate of RATES) await measure(rate, idle);
} finally {
  agent.destroy();
  await connection.close();
  await service.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
