/** What the erasure of a customer leaves of receipts: everything but addresses. */
import assert from 'node:assert/strict';
import { receiptErasureStep } from '../../../activities/receipts/receipt-erasure.ts';
import type { StoredReceipt } from '../../../activities/receipts/receipt-members.ts';
import { sealAddress } from '../../../activities/receipts/sealed-address.ts';
import { CUSTOMER } from '../../../activities/shared/customer-kind.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { OURS, THEIRS } from '../../support/sample-orders.ts';
import { ReceiptFixture } from './receipt-fixture.ts';

const ANNA = '1000000001' as CustomerNumber;
const KARI = '1000000002' as CustomerNumber;

describe('the erasure of a customer with receipts', () => {
  const fixture = new ReceiptFixture('receipt-erasure');
  before(async () => await fixture.open());
  beforeEach(async () => await fixture.clear());
  after(async () => await fixture.close());

  const step = () => receiptErasureStep({ connection: fixture.there.connection, sold: () => fixture.sold });
  const receiptOf = async (contact: CustomerNumber): Promise<StoredReceipt> => {
    const stored = await fixture.issue(await fixture.soldOrder(100, { contact }));
    const address = await sealAddress(fixture.orders.here.keys, stored.receipt, 'guest@example.org');
    const work = { workId: `mail-${stored.receipt.reference}`, correlationId: 'c' };
    return await fixture.here.receipts.addMail(stored.receipt.reference, { address }, work);
  };
  const read = async ({ receipt }: StoredReceipt) => await fixture.here.receipts.get(OURS, receipt.reference);

  it('removes the addresses of her orders, and nothing else', async () => {
    const [hers, other] = [await receiptOf(ANNA), await receiptOf(KARI)];
    const subject = CUSTOMER.subjectOf(ANNA);
    assert.equal(await step().isErased(OURS, subject), false);
    await step().erase(THEIRS, subject);
    assert.equal(await step().isErased(OURS, subject), false);
    for (const repeated of [1, 2]) {
      await step().erase(OURS, subject);
      assert.equal(await step().isErased(OURS, subject), true, String(repeated));
    }
    const after = await read(hers);
    assert.deepEqual([after.receipt, after.mailings.length], [hers.receipt, 1]);
    assert.equal(after.mailings[0]?.address, undefined);
    assert.ok((await read(other)).mailings[0]?.address);
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(KARI)), false);
  });

  it('has nothing to do for other subjects', async () => {
    await receiptOf(ANNA);
    await step().erase(OURS, 'order/K7QW2MXP' as never);
    assert.equal(await step().isErased(OURS, 'order/K7QW2MXP' as never), true);
    assert.equal(await step().isErased(OURS, CUSTOMER.subjectOf(ANNA)), false);
  });
});
