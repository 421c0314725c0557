/** Sells and tells of sales in one running service, with the logins of production. Parts die and start again meanwhile. */
import { Service } from '../support/service.ts';
import { describeFollowedPages } from './followed-pages.ts';
import { describePaidPage } from './paid-page.ts';
import { describeSimulatorRestart } from './simulator-restart.ts';
import { describeWebhook } from './webhook-service.ts';

const PROCESSES = [
  'paymentPagesWorker',
  'salesPaymentsWorker',
  'paymentPage',
  'eventsWorker',
  'providerSimulator',
] as const;

describe('sales in a running service', function () {
  this.timeout(300_000);
  let service: Service;

  before(async () => {
    service = await Service.start({ processes: [...PROCESSES], timetable: false, accounts: true });
  });
  after(() => service?.stop());

  describePaidPage(() => service);
  describeFollowedPages(() => service);
  describeWebhook(() => service);
  describeSimulatorRestart(() => service);
});
