/**
 * Records histories of the workflows of payments into test/histories, for replay.test.ts. Run by hand when a change of a
 * workflow must stay replayable: `node test/workflows/payments/record-payment-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import { creditWorkflowId } from '../../../workflows/payments/messages.ts';
import { payByCard, submit } from '../../support/provider-simulator.ts';
import { OURS } from '../../support/sample-orders.ts';
import { stopServers } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { storeHistory } from '../stored-history.ts';
import { MoneyWorld, type PaidPlace, untilNextRun } from './money-world.ts';

const PAGE = '00000000-0000-4000-8000-000000000001';

/** Ends the transaction that it answers. Named for the code path that they protect. */
const CAPTURES: Readonly<Record<string, (world: MoneyWorld) => Promise<PaidPlace>>> = {
  'capture-captured': async (world) => {
    const place = await world.authorised();
    await world.capture(place);
    return place;
  },
  'capture-book': async (world) => {
    const place = await world.payment({ provider: 'BOOK' });
    await world.capture(place);
    return place;
  },
  'capture-rejected': async (world) => {
    const place = await world.authorised('4000000000000002');
    await world.capture(place).catch(() => undefined);
    return place;
  },
  'capture-soft-declined': async (world) => {
    const place = await world.payment();
    const terminal = await world.terminal(place);
    await payByCard(terminal, '4000002500003155');
    await world.capture(place).catch(() => undefined);
    await submit(`${terminal}/3-d-secure`, { approve: '1' });
    await world.capture(place);
    return place;
  },
  'capture-cancelled': async (world) => {
    const place = await world.authorised();
    await world.cancel(place);
    return place;
  },
  'capture-pending': async (world) => {
    const place = await world.authorised('4000000000000077');
    await world.capture(place);
    return place;
  },
  'capture-by-itself': async (world) => {
    const place = await world.authorised(undefined, { pageId: PAGE });
    await world.callback(place);
    return place;
  },
  'capture-steps-died': async (world) => {
    for (const name of ['openTerminal', 'captureMoney'] as const) world.breakOn(name, 'after', 2);
    const place = await world.authorised();
    await world.capture(place);
    return place;
  },
  'capture-many-runs': async (world) => {
    const place = await world.authorised();
    await untilNextRun(world, place);
    await world.capture(place);
    return place;
  },
  'capture-credit-outstanding': creditRefused,
  // `capture-credited` was recorded before, when a credit was its child.
  'capture-compensated': async (world) => {
    const place = await world.authorised();
    await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 900 });
    const captured = world.capture(place);
    await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
    const other = { paymentId: 2, orderVersion: 1, capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
    await world.money.notePayment(OURS, place.orderId, other, { correlationId: 'c', clientId: 'x' });
    await captured.catch(() => undefined);
    return place;
  },
};

/** The provider refuses to pay back what the order cannot use. */
async function creditRefused(world: MoneyWorld): Promise<PaidPlace> {
  const place = await world.authorised('4000000000005126', { pageId: PAGE });
  await world.fault({ call: 'capture', mode: 'SLOW', count: 1, delayMs: 1_500 });
  await world.callback(place);
  await until(async () => (await world.transaction(place)).intent !== undefined, { what: 'the capture' });
  const other = { paymentId: 2, orderVersion: 1, capturedMinor: 10_000, creditedMinor: 0, openTransactions: 0 };
  await world.money.notePayment(OURS, place.orderId, other, { correlationId: 'c', clientId: 'x' });
  return place;
}

async function creditOf(world: MoneyWorld, place: PaidPlace) {
  const [stored] = await world.credits.listOfOrder(OURS, place.orderId);
  if (!stored) throw new Error('The order has no credit');
  const { workflow } = world.server.temporal.client;
  return workflow.getHandle(creditWorkflowId({ creditId: stored.credit.id }));
}

/** Cards that are captured before a draft of the order is credited. */
const CREDITS: Readonly<Record<string, string>> = {
  'credit-credited': '4111111111111111',
  'credit-failed': '4000000000005126',
};

async function credited(world: MoneyWorld, card: string): Promise<PaidPlace> {
  const place = await world.authorised(card);
  // Then it pays a part, and the order stays a draft.
  await world.owesMore(place);
  await world.capture(place);
  await world.creditDraft(place);
  return place;
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
try {
  const world = await MoneyWorld.open('record-payment-histories');
  for (const [name, run] of Object.entries(CAPTURES).filter(([each]) => isWanted(each))) {
    await world.reset();
    const place = await run(world);
    await world.ended(place);
    const last = await world.handle(place).fetchHistory();
    await storeHistory(name, last);
    const { continuedExecutionRunId } = last.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    if (continuedExecutionRunId) {
      await storeHistory(`${name}-first`, await world.handle(place, continuedExecutionRunId).fetchHistory());
    }
    process.stdout.write(`${name}\n`);
  }
  for (const [name, card] of Object.entries(CREDITS).filter(([each]) => isWanted(each))) {
    await world.reset();
    const credit = await creditOf(world, await credited(world, card));
    await credit.result();
    await storeHistory(name, await credit.fetchHistory());
    process.stdout.write(`${name}\n`);
  }
  await world.close();
} finally {
  await stopServers();
}
