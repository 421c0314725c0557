/**
 * The activities of `paymentPage` that read and write the database. Local activities, on the queue `sales-payment-pages`;
 * Temporal retries while a server is unavailable, without end. A refusal is a result.
 */
import type { PaymentPageRecords } from '../../workflows/payment-page/activities.ts';
import { settleAttempt } from '../../workflows/payment-page/rules/attempts.ts';
import { isLive } from '../../workflows/payment-page/rules/page-end.ts';
import { cancelPage, noteDelivery, patchPage } from '../../workflows/payment-page/rules/transitions.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { factsOf } from './order-facts.ts';
import { attachToOrder, detachFromOrder, isToDetach } from './page-orders.ts';
import { answered, lookAt, orGone, type PageDependencies, stepOf } from './page-steps.ts';

export function createPageActivities(dependencies: PageDependencies): Omit<PaymentPageRecords, 'beginAttempt'> {
  const { pages, orders, money } = dependencies;
  return {
    lookAtPage: async (input) => await orGone(async () => stepOf(await lookAt(dependencies, input))),

    patchPage: async ({ workId, ifRevision, expireAtMs, paymentMethods, correlationId, ...input }) =>
      await answered(dependencies, input, async () => {
        const expireAt = expireAtMs === undefined ? undefined : new Date(expireAtMs);
        const patch = { ...(expireAt && { expireAt }), ...(paymentMethods && { paymentMethods }) };
        const { page } = await pages.change(
          ...([input.organisationId, input.pageId] as const),
          (before, now, revision) => patchPage(asSeen(before, revision, ifRevision), patch, now),
          { workId },
        );
        if (expireAt && isLive(page)) await attachToOrder(money(), page, correlationId);
        return page;
      }),

    cancelPage: async ({ workId, ifRevision, correlationId, ...input }) =>
      await answered(dependencies, input, async () => {
        const { page } = await pages.change(
          ...([input.organisationId, input.pageId] as const),
          (before, now, revision) => cancelPage(asSeen(before, revision, ifRevision), now),
          { workId },
        );
        await detachFromOrder(money(), page, correlationId);
        return page;
      }),

    settleAttempt: async ({ organisationId, orderId, pageId, ...settled }) =>
      await orGone(async () => {
        const order = await orders().get(organisationId, orderId);
        const facts = factsOf(order);
        const { page, correlationId } = await pages.change(organisationId, pageId, (before, now) =>
          settleAttempt(before, settled, facts, now),
        );
        if (isToDetach(order, page)) await detachFromOrder(money(), page, correlationId);
        return stepOf(page);
      }),

    noteDelivery: async ({ delivered, isUnaddressed, ...input }) =>
      await orGone(async () => {
        // A delivery may be over before the page has heard of the capture.
        await lookAt(dependencies, input);
        const { page } = await pages.change(input.organisationId, input.pageId, (before, now) =>
          noteDelivery(before, { delivered, ...(isUnaddressed && { isUnaddressed }) }, now),
        );
        return stepOf(page);
      }),
  };
}

/** Throws REVISION_CONFLICT unless it is as the caller has seen it. */
function asSeen<Page>(page: Page, revision: number, ifRevision: number | undefined): Page {
  if (ifRevision === undefined || ifRevision === revision) return page;
  throw new ServiceError(
    'REVISION_CONFLICT',
    'The page has changed since. Read it again, decide again, and send its new ETag.',
  );
}
