/** Receipts in JSON. */
import assert from 'node:assert/strict';
import { presentReceipt } from '../../../api/receipts/presenters.ts';
import { paidOtherwise, withSupplements } from '../../activities/receipts/pdf/receipts.ts';
import { NOW } from '../../support/sample-orders.ts';

describe('the JSON of a receipt', () => {
  it('names the supplements of its lines, as the PDF does', () => {
    const receipt = withSupplements();
    const stored = { receipt, status: 'SENT', recordedAt: NOW, timeZone: 'Europe/Oslo', mailings: [] } as const;
    const { lines } = presentReceipt({ ...stored, document: undefined as never });
    const [line, fee] = lines;
    assert.deepEqual(
      line?.supplements,
      receipt.lines[0]?.supplementNames?.map((name) => ({ name })),
    );
    assert.equal(line?.supplements?.length, 3);
    assert.equal(fee?.supplements, undefined);
  });

  it('says what the seller has paid back in another way, and names no card there', () => {
    const receipt = paidOtherwise();
    const stored = { receipt, status: 'SENT', recordedAt: NOW, timeZone: 'Europe/Oslo', mailings: [] } as const;
    const [credit] = presentReceipt({ ...stored, document: undefined as never }).credits;
    assert.deepEqual([credit?.paidOtherwise, credit?.cardNumber, credit?.amount], [true, undefined, '1798.00']);
  });
});
