/** When a customer comes back, the provider is asked: not too often, and a failure is the customer's least worry. */
import assert from 'node:assert/strict';
import { ProviderLooks } from '../../../activities/payment-page/provider-looks.ts';
import type { AttemptPlace } from '../../../activities/shared/payments.ts';
import { createLog } from '../../../platform/log.ts';

const log = createLog({ level: 'silent', name: 'pages' });
const placeOf = (transactionId: number) =>
  ({ organisationId: 1, orderId: 'AB23CD45', paymentId: 7, transactionId }) as AttemptPlace;

describe('a look at the provider for a customer who is back', () => {
  it('happens once in a while for each transaction and state', async () => {
    const asked: number[] = [];
    const lookAgain = async ({ transactionId }: AttemptPlace) => void asked.push(transactionId);
    const looks = new ProviderLooks({ payments: () => ({ lookAgain }), log });
    const told = [];
    for (let times = 0; times < 3; times += 1) told.push(await looks.look(placeOf(1), 'OPEN'));
    assert.deepEqual(told, [true, false, false]);
    await looks.look(placeOf(2), 'OPEN');
    // The customer comes from the challenge that a soft decline asked for.
    await looks.look(placeOf(1), 'RETRY');
    assert.deepEqual(asked, [1, 2, 1]);
  });

  it('may fail', async () => {
    const lookAgain = async () => {
      throw new Error('Temporal is away');
    };
    const looks = new ProviderLooks({ payments: () => ({ lookAgain }), log });
    assert.equal(await looks.look(placeOf(1), 'OPEN'), false);
  });
});
