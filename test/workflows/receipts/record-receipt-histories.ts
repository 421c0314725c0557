/**
 * Records histories of the workflow of receipts into test/histories, for replay.test.ts. Run by hand when a change of it must stay
 * replayable: `node test/workflows/receipts/record-receipt-histories.ts [name…]`.
 */
import '../../support/quiet-temporal.ts';
import type { StoredReceipt } from '../../../activities/receipts/receipt-members.ts';
import { later } from '../../support/sample-orders.ts';
import { stopServers } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { storeHistory } from '../stored-history.ts';
import { ReceiptWorld } from './receipt-world.ts';

/** Each answers a receipt whose workflow ends. Named for the code path that they protect. */
const RECORDINGS: Readonly<Record<string, (world: ReceiptWorld) => Promise<StoredReceipt>>> = {
  'receipt-sent': async (world) => {
    const stored = await world.wanted();
    await world.start(stored);
    return stored;
  },
  'receipt-refused': async (world) => {
    const stored = await world.wanted();
    await world.failWith('550 5.1.1 unknown');
    await world.start(stored);
    return stored;
  },
  'receipt-given-up': async (world) => {
    world.fixture.now = later(-25 * 60, world.fixture.now);
    const stored = await world.wanted();
    await world.failWith('450 4.2.0 later');
    await world.start(stored);
    return stored;
  },
  'receipt-tried-again': async (world) => {
    const stored = await world.wanted();
    await world.failWith('450 4.2.0 later');
    await world.start(stored);
    await until(async () => (await world.read(stored)).mailings[0]?.attempts === 1, { what: 'the first attempt' });
    world.mend();
    return stored;
  },
  'receipt-further-mail': async (world) => {
    const stored = await world.wanted();
    await world.failWith('450 4.2.0 later');
    await world.start(stored);
    await until(async () => (await world.read(stored)).mailings[0]?.attempts === 1, { what: 'the first attempt' });
    world.mend();
    await world.start(await world.further(stored, 'kari@example.org'));
    return stored;
  },
  'receipt-steps-died': async (world) => {
    world.breakOn('sendReceipt', 'before', 2);
    const stored = await world.wanted();
    await world.start(stored);
    return stored;
  },
};

const wanted = process.argv.slice(2);
try {
  const world = await ReceiptWorld.open('record-receipt-histories');
  for (const [name, run] of Object.entries(RECORDINGS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await world.reset();
    const stored = await run(world);
    await world.ended(stored);
    await storeHistory(name, await world.handle(stored).fetchHistory());
    process.stdout.write(`${name}\n`);
  }
  await world.close();
} finally {
  await stopServers();
}
