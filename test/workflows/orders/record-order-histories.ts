/**
 * Records histories of the workflows of orders into test/histories, for replay.test.ts. Run by hand when a change of a
 * workflow must stay replayable: `node test/workflows/orders/record-order-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import { addFee } from '../../../workflows/orders/rules/fees.ts';
import type { Order } from '../../../workflows/orders/rules/order.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import { sampleFee } from '../../support/sample-orders.ts';
import { stopServers } from '../../support/stack.ts';
import { storeHistory } from '../stored-history.ts';
import { type Expiry, ExpiryWorld } from './expiry-world.ts';

interface Recording {
  readonly prepare: (world: ExpiryWorld) => Promise<Order>;
  /** Runs while the workflow does. */
  readonly meanwhile?: (world: ExpiryWorld, order: Order) => Promise<unknown>;
}

const OWNER = 'capture/1/1';

/** Recordings, named for the code path that they protect. */
const RECORDINGS: Readonly<Record<string, Recording>> = {
  'order-expiry-expired': {
    prepare: (world) => {
      world.openAtEachLook = [1, 1];
      return world.dueDraft();
    },
  },
  'order-expiry-confirmed': {
    prepare: async (world) => {
      const order = await world.dueDraft();
      world.meanwhile = async () => world.note(order, { capturedMinor: 10_000 });
      return order;
    },
  },
  'order-expiry-credited': {
    prepare: async (world) => {
      const order = await world.dueDraft();
      world.meanwhile = async (look) => (look === 1 ? world.note(order, { capturedMinor: 4_000 }) : undefined);
      return order;
    },
  },
  'order-expiry-reset': {
    prepare: async (world) => {
      const { order } = await world.fixture.confirmed();
      const fee = sampleFee('MANUAL', 2_000);
      const changed = await world.fixture.change(order.id, (before, at) => addFee(before, { fee }, at));
      await world.skip(21);
      return changed.order;
    },
  },
  'order-expiry-waited-for-a-capture': {
    prepare: async (world) => {
      const order = await world.dueDraft();
      await world.fixture.change(order.id, (before, at) => lockOrder(before, { owner: OWNER }, at));
      return order;
    },
    meanwhile: async (world, order) => {
      await world.skip(1);
      await world.fixture.change(order.id, (before, at) => unlockOrder(before, { owner: OWNER }, at));
    },
  },
  'order-expiry-many-rounds': {
    prepare: async (world) => {
      const order = await world.dueDraft();
      await world.fixture.change(order.id, (before, at) => lockOrder(before, { owner: OWNER }, at));
      return order;
    },
    meanwhile: async (world, order) => {
      await world.skip(150);
      await world.fixture.change(order.id, (before, at) => unlockOrder(before, { owner: OWNER }, at));
    },
  },
  'order-expiry-over': { prepare: async (world) => (await world.fixture.withSeat()).order },
  'order-expiry-steps-died': {
    prepare: async (world) => {
      const order = await world.dueDraft();
      for (const name of ['lockDraft', 'endOpenTransactions', 'endDraft'] as const) {
        world.breakOn(name, 'before', 2);
        world.breakOn(name, 'after', 2);
      }
      return order;
    },
  },
};

const wanted = process.argv.slice(2);
try {
  const world = await ExpiryWorld.open('record-order-histories');
  for (const [name, { prepare, meanwhile }] of Object.entries(RECORDINGS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await world.reset();
    const order = await prepare(world);
    const expiry: Expiry = await world.start(order);
    await meanwhile?.(world, order);
    await expiry.result();
    await storeHistory(name, await expiry.fetchHistory());
    const first = await world.firstRun(expiry);
    if (first) await storeHistory(`${name}-first`, first);
    process.stdout.write(`${name}\n`);
  }
  await world.close();
} finally {
  await stopServers();
}
