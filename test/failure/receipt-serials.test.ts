/**
 * Fifty orders get their receipts at once, by processes that are killed in between: the serial numbers have no gap and no repeat,
 * and every order has its receipt in the end.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ReceiptFixture } from '../activities/receipts/receipt-fixture.ts';
import { useMongo } from '../support/stack.ts';
import { checkReceipts } from './receipt-books.ts';

const NAME = 'receipt-kills';
const ORDERS = 50;
/** Each pair works side by side, and is killed after so many receipts. */
const ROUNDS: readonly (readonly [number, number])[] = [
  [1, 7],
  [5, 12],
];
const PROGRAM = join(import.meta.dirname, 'receipt-issuer.ts');

describe('receipts of fifty orders at once', () => {
  const fixture = new ReceiptFixture(NAME);
  before(async () => await fixture.open());
  after(async () => await fixture.close());

  /** Answers the signal that has killed it. */
  async function issueIn(orderIds: readonly string[], killedAfter?: number): Promise<NodeJS.Signals | null> {
    const { uri } = await useMongo();
    const program = [PROGRAM, uri(NAME), String(killedAfter ?? 'never'), ...orderIds];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'inherit', 'inherit'] });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => (code ? reject(new Error(`It ended with ${code}`)) : resolve(signal)));
    });
  }

  it('have the numbers 1 to 50, whichever process dies', async () => {
    await fixture.clear();
    const sold = await Promise.all(Array.from({ length: ORDERS }, async () => await fixture.soldOrder()));
    const ids = sold.map(({ id }) => id);
    for (const pair of ROUNDS) {
      // In another order, so that they race for numbers and for orders.
      const ends = await Promise.all(pair.map((after, at) => issueIn(at ? ids : ids.toReversed(), after)));
      assert.deepEqual(ends, ['SIGKILL', 'SIGKILL']);
      await checkReceipts(fixture.here.connection);
    }
    const before = (await checkReceipts(fixture.here.connection)).length;
    assert.ok(before > 0 && before < ORDERS, `${before} were issued`);
    assert.deepEqual(await Promise.all([issueIn(ids), issueIn(ids.toReversed())]), [null, null]);
    const originals = await checkReceipts(fixture.here.connection);
    assert.deepEqual(new Set(originals.map(({ orderId }) => orderId)), new Set(ids));
    assert.equal(Math.max(...originals.map(({ number }) => number)), ORDERS);
  });
});
