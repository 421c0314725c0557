/**
 * Sells, delivers and pays back in one running service, whose start costs as much as most of these suites. The first counts the
 * writes of a quiet service; the last publishes another timetable.
 */
import { PagedOrders } from '../../support/paged-orders.ts';
import { describeWholeOrderBudget } from '../../workflows/payments/whole-order-budget.ts';
import { describeServedEvents } from '../events/served-events.ts';
import { describeIssuedPdf } from '../tickets/issued-pdf.ts';
import { describeMovedValidity } from '../tickets/moved-validity.ts';
import { describeSettledRefunds } from './settled-refunds.ts';
import { describeSoldOrderRefunds } from './sold-order-refunds.ts';
import { describeWithdrawnTrain } from './withdrawn-train.ts';

describe('paid orders in a running service', function () {
  this.timeout(300_000);
  let orders: PagedOrders;
  const useOrders = (): PagedOrders => orders;

  before(async () => {
    orders = await PagedOrders.start({ env: { REFUND_OVERRULE_CODES: 'GOODWILL' } });
  });
  after(async () => await orders?.stop());

  describeWholeOrderBudget(useOrders);
  describeIssuedPdf(useOrders);
  describeMovedValidity(useOrders);
  describeSoldOrderRefunds(useOrders);
  describeSettledRefunds(useOrders);
  describeWithdrawnTrain(useOrders);
  describeServedEvents(useOrders);
});
