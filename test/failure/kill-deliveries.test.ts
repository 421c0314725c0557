/** The short twin of `npm run test:kill-deliveries`, and mail servers that fail meanwhile. */
import { until } from '../support/until.ts';
import { KilledDeliveries } from './killed-deliveries.ts';

const RECEIPTS = 20;
const VICTIMS = ['salesDocumentsWorker', 'eventsWorker', 'salesPaymentsWorker', 'api'] as const;

describe('a process that is killed while an order is delivered', function () {
  this.timeout(300_000);
  let deliveries: KilledDeliveries;

  before(async () => {
    deliveries = await KilledDeliveries.open();
  });
  beforeEach(() => {
    deliveries.gate.mode = 'OPEN';
  });
  after(async () => await deliveries?.close());

  for (const victim of VICTIMS) {
    it(`leaves one mail of each kind: ${victim}, as the money is captured`, async () => {
      const paid = await deliveries.pay();
      await deliveries.die(victim);
      await deliveries.assertDelivered(paid);
    });
  }

  it('leaves one mail of each kind: the documents worker, while the mail server is silent', async () => {
    const { gate, orders } = deliveries;
    gate.mode = 'SILENT';
    const paid = await deliveries.pay();
    await until(() => gate.connections > 0, { what: 'a mail that is being sent' });
    await orders.service.kill('salesDocumentsWorker');
    gate.mode = 'OPEN';
    await orders.service.restart('salesDocumentsWorker');
    await deliveries.assertDelivered(paid);
  });

  it('leaves one mail of each kind: the documents worker, after the server has taken them', async () => {
    const { gate, orders } = deliveries;
    gate.mode = 'CUT';
    const paid = await deliveries.pay();
    await until(() => gate.inbox(paid.email).length > 0, { what: 'a mail that was taken' });
    await orders.service.kill('salesDocumentsWorker');
    gate.mode = 'OPEN';
    await orders.service.restart('salesDocumentsWorker');
    await deliveries.assertDelivered(paid);
  });

  it('gives orders that are confirmed at once one receipt each, with numbers that have no gap', async () => {
    await deliveries.issueAtOnce(RECEIPTS);
  });

  it('sends nobody a second mail long after', async () => {
    await deliveries.assertNothingLate();
  });
});
