/** The receipt of a confirmation that cannot be made: the delivery that waits for it ends. */
import assert from 'node:assert/strict';
import type { DeliveredReceipts } from '../../../activities/shared/receipts.ts';
import { ReceiptSender } from '../../../activities/tickets/delivery/receipt-sender.ts';
import type { OrderId, ReceiptReference } from '../../../workflows/shared/ids.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { sendStepOf } from '../../../workflows/tickets/rules/mailing-steps.ts';
import type { MailedReceipt, Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { NOW, OURS } from '../../support/sample-orders.ts';

const HOUR_MS = 3_600_000;

describe('The receipt of a delivery', () => {
  let now: Date;
  let isSettled: boolean;
  let isAddressed: boolean;
  const receipts: DeliveredReceipts = {
    issue: async () => {
      if (!isSettled) throw new ServiceError('UNAVAILABLE', 'Money is on its way back.');
      return { reference: 'r' as ReceiptReference, isAddressed };
    },
    send: async () => ({ kind: 'SENT' }),
  };
  const sender = new ReceiptSender({ receipts: () => receipts, log: silentLog, now: () => now });
  const mailingWith = (receipt: MailedReceipt): Mailing => ({
    ...{ id: 'deliver/K7QW2MXP/v1', workflow: 'deliver/K7QW2MXP/v1', organisationId: OURS, createdAt: NOW },
    ...{ orderId: 'K7QW2MXP' as OrderId, orderVersion: 1, wish: { kind: 'CONFIRMED' }, state: 'OPEN' },
    ...{ mails: [], unaddressed: 0, receipt },
  });
  const tryAgain = async (receipt: MailedReceipt) => {
    const after = await sender.tryToSend(mailingWith(receipt), { correlationId: 'c' });
    assert.ok(after);
    return after;
  };
  beforeEach(() => {
    now = NOW;
    isSettled = false;
    isAddressed = true;
  });

  it('is tried again while money is on its way back, and given up after 24 hours', async () => {
    let receipt = await tryAgain({ isMailed: true, state: 'DUE', nextTryAt: NOW });
    let tries = 1;
    for (; receipt.state === 'DUE' && tries < 3_000; tries += 1) {
      now = receipt.nextTryAt ?? assert.fail();
      receipt = await tryAgain(receipt);
    }
    assert.deepEqual(receipt, { isMailed: true, firstTriedAt: NOW, state: 'FAILED' });
    assert.equal(now.getTime() - NOW.getTime(), 24 * HOUR_MS);
  });

  it('reaches nobody where the contact has no address, and is not sent where its channel sends nothing', async () => {
    isSettled = true;
    isAddressed = false;
    const due = { state: 'DUE', nextTryAt: NOW } as const;
    const unaddressed = await tryAgain({ isMailed: true, ...due });
    assert.equal(unaddressed.state, 'UNADDRESSED');
    assert.equal(sendStepOf([mailingWith(unaddressed)]).unaddressed, 1);
    const issued = await tryAgain({ isMailed: false, ...due });
    assert.equal(issued.state, 'ISSUED');
    assert.equal(sendStepOf([mailingWith(issued)]).unaddressed, 0);
  });

  it('is sent once the money has arrived', async () => {
    const first = await tryAgain({ isMailed: true, state: 'DUE', nextTryAt: NOW });
    now = first.nextTryAt ?? assert.fail();
    isSettled = true;
    assert.equal((await tryAgain(first)).state, 'SENT');
  });
});
