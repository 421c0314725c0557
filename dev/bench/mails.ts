/**
 * Mails after payments: `npm run bench:mails [-- seconds]`. The whole service, the provider simulator, the in-box and the clients
 * share the machine. Customers have authorised before; then 1 and 2 captures a second confirm their orders. Tells how long
 * after the confirmation the in-box has the mail with the ticket, and the one with the receipt. Fails when a mail is missing or
 * comes twice.
 */
import { ORDERS_COLLECTION } from '../../activities/orders/order-document.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { type AuthorisedOrder, PagedOrders, type ReceivedMail } from '../../test/support/paged-orders.ts';
import { until } from '../../test/support/until.ts';
import { runBounded } from '../../workflows/shared/run-bounded.ts';
import { expectThat, hasFailed } from './expectation.ts';
import { type Answered, steadyLoad, summarise, tellLoad } from './steady-load.ts';

/** The trains have 300 seats: enough for 90 s. */
const [seconds = 40] = process.argv.slice(2).map(Number);
const RATES = [1, 2];
const WARM_UP = 10;
const ARRIVED_WITHIN_MS = 120_000;
const KINDS = { ticket: /Billett/, receipt: /Kvittering/ };
const PREPARED_AT_ONCE = 4;

const orders = await PagedOrders.start();
const connection = await connectMongo(orders.service.mongoUri);

async function authoriseMany(count: number): Promise<readonly AuthorisedOrder[]> {
  const all: AuthorisedOrder[] = [];
  await runBounded(count, PREPARED_AT_ONCE, async () => void all.push(await orders.authorise()));
  return all;
}

async function capture(order: AuthorisedOrder): Promise<Answered> {
  const begun = performance.now();
  await orders.capture(order);
  return { ms: performance.now() - begun, status: 200, body: '' };
}

async function mailsOf({ email }: AuthorisedOrder): Promise<readonly ReceivedMail[]> {
  await until(async () => (await orders.mailsTo(email)).length >= Object.keys(KINDS).length, {
    what: 'both mails',
    timeoutMs: ARRIVED_WITHIN_MS,
  });
  return await orders.mailsTo(email);
}

/** Both by clocks of this machine. */
async function arrivedAfter({ orderId }: AuthorisedOrder, { id }: ReceivedMail): Promise<number> {
  const order = await ORDERS_COLLECTION.open(connection).findOne({ _id: orderId as never });
  if (order?.lastConfirmedAt === undefined) throw new Error(`${orderId} is ${order?.status}`);
  return Number(id.slice(0, id.indexOf('-'))) - order.lastConfirmedAt.getTime();
}

async function measure(rate: number): Promise<void> {
  const paid = await authoriseMany(rate * seconds);
  const load = await steadyLoad(rate, seconds, (count) => capture(paid[count] as AuthorisedOrder));
  tellLoad(`${rate} captures a second, as the caller waits`, load);
  const received = new Map<AuthorisedOrder, readonly ReceivedMail[]>();
  for (const order of paid) received.set(order, await mailsOf(order));
  for (const [kind, subject] of Object.entries(KINDS)) {
    const times: number[] = [];
    const wrong: string[] = [];
    for (const [order, mails] of received) {
      const [mail, ...more] = mails.filter((each) => subject.test(each.subject));
      if (mail) times.push(await arrivedAfter(order, mail));
      if (!mail || more.length > 0) wrong.push(order.orderId);
    }
    expectThat(`each order has one mail with its ${kind}${wrong.map((id) => ` ${id}`).join('')}`, wrong.length === 0);
    tellLoad(`the ${kind} in the in-box after CONFIRMED`, summarise(times.map((ms) => ({ ms, status: 0, body: '' }))));
  }
}

try {
  for (const order of await authoriseMany(WARM_UP)) {
    await orders.capture(order);
    await mailsOf(order);
  }
  for (const rate of RATES) await measure(rate);
} finally {
  await connection.close();
  await orders.stop();
}
process.exitCode = hasFailed() ? 1 : 0;
