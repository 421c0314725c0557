/** The short twin of kill-payments.ts: three kills, and each fault of the provider once. */
import assert from 'node:assert/strict';
import { runPayments } from './payment-run.ts';
import { planKills } from './random-kills.ts';

describe('payments taken while a part is killed', function () {
  this.timeout(240_000);

  it('move money once, as the provider says, and leave no payment or page open', async () => {
    const kills = planKills(['salesPaymentsWorker', 'api', 'paymentPagesWorker'], 3, 'payments');
    const run = await runPayments({ stories: 27, kills, faultsEach: 1 });
    assert.deepEqual(run.faults, [], run.details.join('\n'));
    assert.ok(run.payments >= 18 && run.pages >= 9, `${run.payments} payments, ${run.pages} pages`);
  });
});
