/**
 * Records histories of the workflows of tickets into test/histories, for replay.test.ts. Run by hand when a change of a workflow
 * must stay replayable: `node test/workflows/tickets/record-ticket-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { paymentPageWorkflow, paymentPageWorkflowId } from '../../../workflows/payment-page/messages.ts';
import type { PaymentPageId } from '../../../workflows/shared/ids.ts';
import { OURS } from '../../support/sample-orders.ts';
import { stopServers } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { storeHistory } from '../stored-history.ts';
import { ANNA, BERIT, DeliveryWorld } from './delivery-world.ts';

type Handle = Pick<WorkflowHandle, 'result' | 'fetchHistory'>;

const placeOf = ({ id: orderId, version: orderVersion }: Order) => ({ organisationId: OURS, orderId, orderVersion });
const work = () => ({ workId: randomUUID(), correlationId: 'c' });

async function delivered(world: DeliveryWorld): Promise<Handle> {
  const order = await world.sold();
  await world.start(order);
  return world.handle(order);
}

async function reissued(world: DeliveryWorld): Promise<Handle> {
  const order = await world.sold([ANNA]);
  await world.start(order);
  await world.ended(order);
  const { start, handle } = await world.transferred(order, BERIT);
  await start();
  return handle;
}

/** Each starts a workflow, which ends by itself. Named for the code path that they protect. */
const REAL: Readonly<Record<string, (world: DeliveryWorld) => Promise<Handle>>> = {
  'delivery-delivered': delivered,
  'delivery-nothing': async (world) => {
    world.autoDistribute = false;
    return await delivered(world);
  },
  'delivery-unaddressed': async (world) => {
    world.customers.clear();
    return await delivered(world);
  },
  'delivery-address-refused': async (world) => {
    world.customers.set(ANNA, { email: 'unknown@example.org', language: 'nob' });
    return await delivered(world);
  },
  'delivery-order-refused': async (world) => {
    const order = await world.sold();
    await world.spoil(order);
    await world.start(order);
    return world.handle(order);
  },
  'delivery-steps-died': async (world) => {
    for (const name of ['issueDocuments', 'sendDue'] as const) world.breakOn(name, 'after', 2);
    return await delivered(world);
  },
  'delivery-told-its-page': async (world) => {
    const pageId = randomUUID() as PaymentPageId;
    const options = { taskQueue: 'nobody', workflowId: paymentPageWorkflowId(pageId), args: [{}] };
    await world.money.server.temporal.client.workflow.start(paymentPageWorkflow.type, options);
    const order = await world.sold();
    await world.paidOn(order, pageId);
    await world.start(order);
    return world.handle(order);
  },
  'delivery-page-was-gone': async (world) => {
    const order = await world.sold();
    await world.paidOn(order, randomUUID());
    await world.start(order);
    return world.handle(order);
  },
  'delivery-asked': async (world) => {
    const order = await world.sold();
    await world.calls.distribute(placeOf(order), { resend: false }, work());
    return world.handle(order);
  },
  'delivery-generated': async (world) => {
    const order = await world.sold();
    await world.calls.generate(placeOf(order), {}, work());
    return world.handle(order);
  },
  'delivery-called-while-sending': async (world) => {
    const order = await world.sold();
    world.gate.mode = 'SILENT';
    await world.start(order);
    await until(async () => world.gate.connections > 0, { what: 'a mail that hangs' });
    await world.calls.generate(placeOf(order), {}, work());
    world.gate.mode = 'OPEN';
    return world.handle(order);
  },
  'delivery-waiting': async (world) => {
    const order = await world.sold();
    await world.paidOn(order, randomUUID());
    world.canSign = false;
    await world.start(order);
    await world.calls.generate(placeOf(order), {}, work()).catch(() => undefined);
    return world.handle(order);
  },
  'delivery-call-refused': async (world) => {
    const order = await world.sold();
    await world.spoil(order);
    await world.calls.generate(placeOf(order), {}, work()).catch(() => undefined);
    return world.handle(order);
  },
  'reissue-delivered': async (world) => {
    world.customers.set(BERIT, { email: 'berit@example.org', language: 'eng' });
    return await reissued(world);
  },
  'reissue-nothing': async (world) => {
    world.customers.set(BERIT, { email: 'berit@example.org', language: 'eng' });
    world.autoDistribute = false;
    return await reissued(world);
  },
  'reissue-failed': async (world) => {
    world.customers.set(BERIT, { email: 'unknown@example.org', language: 'eng' });
    return await reissued(world);
  },
};

/** On a server that skips time. */
const SKIPPING: typeof REAL = {
  'delivery-tried-again': async (world) => {
    const order = await world.sold();
    world.gate.mode = 'SHUT';
    await world.start(order);
    await world.untilTried(order, 1);
    world.gate.mode = 'OPEN';
    return world.handle(order);
  },
  'delivery-given-up': async (world) => {
    world.gate.mode = 'SHUT';
    return await delivered(world);
  },
  'reissue-given-up': async (world) => {
    world.customers.set(BERIT, { email: 'berit@example.org', language: 'eng' });
    const order = await world.sold([ANNA]);
    await world.start(order);
    await world.ended(order);
    const { start, handle } = await world.transferred(order, BERIT);
    world.gate.mode = 'SHUT';
    await start();
    return handle;
  },
};

const wanted = process.argv.slice(2);

async function record(recordings: typeof REAL, name: string, skipping: boolean): Promise<void> {
  const world = await DeliveryWorld.open(name, { skipping });
  for (const [each, run] of Object.entries(recordings)) {
    if (wanted.length > 0 && !wanted.includes(each)) continue;
    await world.reset();
    const handle = await run(world);
    await handle.result();
    await storeHistory(each, await handle.fetchHistory());
    process.stdout.write(`${each}\n`);
  }
  await world.close();
}

try {
  await record(REAL, 'record-ticket-histories', false);
  await record(SKIPPING, 'record-ticket-retries', true);
} finally {
  await stopServers();
}
