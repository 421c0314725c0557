/** The short twin of kill-payments.ts: two kills, and each fault of the provider once. */
import assert from 'node:assert/strict';
import { runPayments } from './payment-run.ts';

describe('payments taken while a part is killed', function () {
  this.timeout(240_000);

  it('move money once, as the provider says, and end', async () => {
    const run = await runPayments({ stories: 34, victims: ['salesPaymentsWorker', 'api'], faultsEach: 1 });
    assert.deepEqual(run.faults, [], run.details.join('\n'));
    assert.ok(run.payments >= 34, `${run.payments} payments`);
  });
});
