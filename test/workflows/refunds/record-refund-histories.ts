/**
 * Records histories of the workflow of refunds into test/histories, for replay.test.ts. Run by hand when a change of the
 * workflow must stay replayable: `node test/workflows/refunds/record-refund-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import { lockOrder, unlockOrder } from '../../../workflows/orders/rules/order-lock.ts';
import type { Refund } from '../../../workflows/refunds/rules/refund.ts';
import { stopServers } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { storeHistory } from '../stored-history.ts';
import { RefundWorld } from './refund-world.ts';

interface Recording {
  /** Of money that no order can use. */
  readonly isCompensation?: true;
  readonly prepare?: (world: RefundWorld, refund: Refund) => unknown;
  /** Runs while the workflow does. */
  readonly meanwhile?: (world: RefundWorld, refund: Refund) => Promise<unknown>;
}

const OWNER = 'capture/1/1';
const DAY_MS = 25 * 3600_000;

const unanswered = (world: RefundWorld) => {
  world.answers = ['UNKNOWN'];
};
const refuses = (world: RefundWorld) => {
  world.answers = ['REFUSED'];
};
const waits = async (world: RefundWorld, refund: Refund) => {
  const isAsked = async () => (await world.read(refund)).refund.status === 'NEEDS_ATTENTION';
  await until(isAsked, { what: 'the question to an operator' });
};
const asked = async (world: RefundWorld, refund: Refund) => {
  await world.skip(DAY_MS);
  await waits(world, refund);
};

/** Recordings, named for the code path that they protect. */
const RECORDINGS: Readonly<Record<string, Recording>> = {
  'refund-completed': {},
  'refund-refused': {
    prepare: (world) => {
      world.answers = ['UNKNOWN', 'REFUSED'];
    },
  },
  'refund-order-locked': {
    prepare: async (world, { orderId }) =>
      await world.fixture.change(orderId, (before, at) => lockOrder(before, { owner: OWNER }, at)),
  },
  'refund-waited-for-a-capture': {
    prepare: async (world, { orderId }) =>
      await world.fixture.change(orderId, (before, at) => lockOrder(before, { owner: OWNER }, at)),
    meanwhile: async (world, { orderId }) => {
      await world.skip(2_000);
      await world.fixture.change(orderId, (before, at) => unlockOrder(before, { owner: OWNER }, at));
    },
  },
  'refund-answered-after-a-day': {
    prepare: unanswered,
    meanwhile: async (world, refund) => {
      await asked(world, refund);
      world.answers = ['CREDITED'];
    },
  },
  'refund-credited-elsewhere': {
    prepare: unanswered,
    meanwhile: async (world, refund) => {
      await asked(world, refund);
      await world.resolve(refund, 'CREDITED_ELSEWHERE');
    },
  },
  'refund-given-up': {
    prepare: unanswered,
    meanwhile: async (world, refund) => {
      await asked(world, refund);
      await world.resolve(refund, 'GIVEN_UP');
    },
  },
  'refund-rest-given-up': {
    prepare: (world) => {
      world.answers = [{ paidMinor: 4_000 }];
    },
    meanwhile: async (world, refund) => {
      await asked(world, refund);
      await world.resolve(refund, 'GIVEN_UP');
    },
  },
  'refund-decided-while-unknown': {
    prepare: (world) => {
      unanswered(world);
      world.decided = 'UNKNOWN';
    },
    meanwhile: async (world, refund) => {
      await asked(world, refund);
      await world.resolve(refund, 'GIVEN_UP');
      await world.skip(3600_000);
      world.answers = ['CREDITED'];
    },
  },
  'refund-decision-withdrawn': {
    prepare: (world) => {
      world.answers = [{ paidMinor: 4_000 }];
      world.decided = 'DISPUTED';
    },
    meanwhile: async (world, refund) => {
      await asked(world, refund);
      await world.resolve(refund, 'CREDITED_ELSEWHERE');
      const isAskedAgain = async () =>
        world.steps.includes('settle ELSEWHERE') && (await world.read(refund)).refund.resolution === undefined;
      await until(isAskedAgain, { what: 'another question' });
      await world.resolve(refund, 'GIVEN_UP');
    },
  },
  'refund-compensation-paid': { isCompensation: true },
  'refund-compensation-credited-elsewhere': {
    isCompensation: true,
    prepare: refuses,
    meanwhile: async (world, refund) => {
      await waits(world, refund);
      await world.resolve(refund, 'CREDITED_ELSEWHERE');
    },
  },
  'refund-compensation-given-up': {
    isCompensation: true,
    prepare: refuses,
    meanwhile: async (world, refund) => {
      await waits(world, refund);
      await world.resolve(refund, 'GIVEN_UP');
    },
  },
  'refund-steps-died': {
    prepare: (world) => {
      for (const name of ['beginRefund', 'creditRefund', 'awaitCredit', 'completeRefund'] as const) {
        world.breakOn(name, 'before');
        world.breakOn(name, 'after');
      }
    },
  },
  'refund-ended-before': { prepare: async (world, refund) => await world.end(refund) },
};

const wanted = process.argv.slice(2);
try {
  const world = await RefundWorld.open('record-refund-histories');
  for (const [name, { isCompensation, prepare, meanwhile }] of Object.entries(RECORDINGS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await world.reset();
    const { refund } = isCompensation ? await world.compensation() : await world.requested();
    await prepare?.(world, refund);
    const handle = await world.start(refund);
    await meanwhile?.(world, refund);
    await handle.result();
    await storeHistory(name, await handle.fetchHistory());
    process.stdout.write(`${name}\n`);
  }
  await world.close();
} finally {
  await stopServers();
}
