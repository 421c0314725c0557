/**
 * Records histories of the workflow of payment pages into test/histories, for replay.test.ts. Run by hand when a change of
 * the workflow must stay replayable: `node test/workflows/payment-page/record-page-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import {
  callCancel,
  callPatch,
  callPay,
  signalOrderChanged,
  signalSettled,
} from '../../../activities/payment-page/page-start.ts';
import type { PaymentPage } from '../../../workflows/payment-page/rules/page.ts';
import { inputOf } from '../../activities/payment-page/page-fixture.ts';
import { stopServers } from '../../support/stack.ts';
import { storeHistory } from '../stored-history.ts';
import { PageWorld } from './page-world.ts';

const DAY_MINUTES = 24 * 60;

async function pay(world: PageWorld, page: PaymentPage): Promise<void> {
  await callPay(world.temporal, inputOf(page), await world.request(page));
}

async function paid(world: PageWorld): Promise<PaymentPage> {
  const page = await world.start();
  await pay(world, page);
  await world.settle(page, await world.fixture.payments.capture());
  await world.untilStatus(page, 'PAID');
  return page;
}

/** Recordings, named for the code path that they protect. Each answers its page, whose workflow then ends by itself. */
const RECORDINGS: Readonly<Record<string, (world: PageWorld) => Promise<PaymentPage>>> = {
  'payment-page-completed': async (world) => {
    const page = await paid(world);
    await world.deliver(page);
    return page;
  },
  // Recorded after the workflow began to show its state in search attributes; the others before.
  'payment-page-state-shown': async (world) => {
    const page = await world.start();
    const expireAtMs = world.fixture.orders.now.getTime() + 2 * DAY_MINUTES * 60_000;
    await callPatch(world.temporal, inputOf(page), { workId: 'p', correlationId: 'c', expireAtMs });
    await pay(world, page);
    await world.settle(page, await world.fixture.payments.capture());
    await world.untilStatus(page, 'PAID');
    await world.deliver(page);
    return page;
  },
  'payment-page-paid-not-delivered': async (world) => {
    const page = await paid(world);
    await world.deliver(page, { delivered: false });
    return page;
  },
  'payment-page-completed-unaddressed': async (world) => {
    const page = await paid(world);
    await world.deliver(page, { delivered: true, isUnaddressed: true });
    return page;
  },
  'payment-page-paid-delivery-outstanding': paid,
  'payment-page-expired-after-a-patch': async (world) => {
    const page = await world.start();
    const expireAtMs = world.fixture.orders.now.getTime() + 2 * DAY_MINUTES * 60_000;
    await callPatch(world.temporal, inputOf(page), { workId: 'p', correlationId: 'c', expireAtMs });
    return page;
  },
  'payment-page-cancelled-by-its-caller': async (world) => {
    const page = await world.start();
    await callCancel(world.temporal, inputOf(page), { workId: 'c', correlationId: 'c' });
    return page;
  },
  'payment-page-cancelled-with-its-order': async (world) => {
    const page = await world.start();
    await world.fixture.orders.pay(page.orderId);
    await world.fixture.orders.confirm(page.orderId);
    await signalOrderChanged(world.temporal, inputOf(page));
    return page;
  },
  'payment-page-credited': async (world) => {
    const page = await world.start();
    await pay(world, page);
    await world.settle(page, await world.fixture.payments.credit());
    return page;
  },
  'payment-page-credit-outstanding': async (world) => {
    const page = await world.start();
    await pay(world, page);
    await world.settle(page, await world.fixture.payments.refuseCredit());
    return page;
  },
  'payment-page-told-of-a-late-credit': async (world) => {
    const page = await world.start();
    await pay(world, page);
    await world.settle(page, await world.fixture.payments.refuseCredit());
    await world.end(page);
    await signalSettled(world.temporal, inputOf(page), world.fixture.payments.settled('CREDITED'));
    return page;
  },
  'payment-page-refused-declined-abandoned': async (world) => {
    const page = await world.start();
    await pay(world, page);
    await world.settle(page, world.fixture.payments.refuse());
    await world.untilStatus(page, 'OPEN');
    await pay(world, page);
    await world.settle(page, world.fixture.payments.decline());
    await world.skip(40);
    await world.untilStatus(page, 'OPEN');
    return page;
  },
  'payment-page-voided-as-the-order-changed': async (world) => {
    const page = await world.start();
    await pay(world, page);
    world.fixture.payments.unknownEnds = 3;
    await world.fixture.change(page);
    await signalOrderChanged(world.temporal, inputOf(page));
    return page;
  },
  'payment-page-voided-after-the-grace': async (world) => {
    const page = await world.start(40);
    await world.skip(35);
    await pay(world, page);
    return page;
  },
  'payment-page-many-runs': async (world) => await world.start(100 * DAY_MINUTES),
  'payment-page-steps-died': async (world) => {
    for (const name of ['lookAtPage', 'beginAttempt', 'settleAttempt', 'noteDelivery'] as const) {
      world.breakOn(name, 'before');
      world.breakOn(name, 'after');
    }
    const page = await paid(world);
    await world.deliver(page);
    return page;
  },
};

const wanted = process.argv.slice(2);
try {
  const world = await PageWorld.open('record-page-histories');
  for (const [name, record] of Object.entries(RECORDINGS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await world.reset();
    const page = await record(world);
    const first = (await world.handle(page).describe()).runId;
    await world.end(page);
    const last = (await world.handle(page).describe()).runId;
    await storeHistory(name, await world.handle(page, last).fetchHistory());
    if (last !== first) await storeHistory(`${name}-first`, await world.handle(page, first).fetchHistory());
    process.stdout.write(`${name}\n`);
  }
  await world.close();
} finally {
  await stopServers();
}
