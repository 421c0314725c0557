/**
 * The activities of `paymentPage` that ask the area of payments: an attempt begins and ends. What is about to happen is
 * written before it, so a repeat finds it; the ids of payment and transaction derive from page and number.
 */
import type { AttemptActivities, PaymentPageRecords } from '../../workflows/payment-page/activities.ts';
import type { PaymentPageInput, PayRequest } from '../../workflows/payment-page/messages.ts';
import { beginAttempt, dropAttempt, placeAttempt } from '../../workflows/payment-page/rules/attempts.ts';
import type { AttemptIds, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { takeOutcome } from './attempt-outcome.ts';
import { factsOf } from './order-facts.ts';
import { detachFromOrder, isToDetach } from './page-orders.ts';
import { answered, orGone, type PageDependencies, stepOf } from './page-steps.ts';
import type { StoredPage } from './page-store.ts';

export function createAttemptActivities(
  dependencies: PageDependencies,
): AttemptActivities & Pick<PaymentPageRecords, 'beginAttempt'> {
  return {
    beginAttempt: async (input) => await answered(dependencies, input, async () => await begin(dependencies, input)),

    endAttempt: async (input) => await orGone(async () => stepOf(await end(dependencies, input))),
  };
}

/** Throws what the rules and the area of payments refuse. */
async function begin(dependencies: PageDependencies, input: PaymentPageInput & PayRequest): Promise<PaymentPage> {
  const { pages, orders } = dependencies;
  const { organisationId, orderId, pageId, number, amountMinor, contentMark, paymentTypeGroup, paymentType } = input;
  const order = factsOf(await orders().get(organisationId, orderId));
  const wanted = { number, amountMinor, contentMark, method: { paymentTypeGroup, paymentType } };
  const stored = await pages.change(organisationId, pageId, (before, now) => beginAttempt(before, wanted, order, now));
  const { attempt } = stored.page;
  if (!attempt || attempt.ending || attempt.place) return stored.page;
  let place: AttemptIds;
  try {
    place = await openTerminal(dependencies, stored, input);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await pages.change(organisationId, pageId, (before, now) => dropAttempt(before, attempt.number, order, now));
    throw asRefusal(error);
  }
  const placed = await pages.change(organisationId, pageId, (before) => placeAttempt(before, attempt.number, place));
  return placed.page;
}

async function openTerminal(
  { payments }: PageDependencies,
  { page, keyId }: StoredPage,
  { language, correlationId }: PayRequest,
): Promise<AttemptIds> {
  const { attempt, organisationId, distributionChannelId, orderId, orderVersion, currency } = page;
  if (!attempt) throw new RangeError('A page without an attempt has no terminal');
  const { number, amountMinor, paymentTypeGroup, paymentType } = attempt;
  const { paymentId, transactionId } = await payments().beginAttempt({
    ...{ organisationId, distributionChannelId, orderId, orderVersion, amountMinor, currency },
    ...{ paymentTypeGroup, paymentType, pageId: page.id, keyId, attempt: number, correlationId, language },
  });
  return { paymentId, transactionId };
}

/** The customer may try again: nothing was opened that anybody could pay. */
function asRefusal(error: ServiceError): ServiceError {
  return error.status < 500 ? error : new ServiceError('RESOURCE_BUSY', error.message, { cause: error });
}

async function end(dependencies: PageDependencies, input: PaymentPageInput): Promise<PaymentPage> {
  const { pages, orders, money, payments } = dependencies;
  const { organisationId, orderId, pageId } = input;
  const { page } = await pages.get(organisationId, pageId);
  const { attempt } = page;
  if (!attempt?.ending) return page;
  const { place } = attempt;
  const state = place && (await payments().endAttempt({ organisationId, orderId, ...place }));
  const order = await orders().get(organisationId, orderId);
  const facts = factsOf(order);
  const { page: after, correlationId } = await pages.change(organisationId, pageId, (before, now) => {
    if (before.attempt?.number !== attempt.number) return before;
    return state ? takeOutcome(before, state, facts, now) : dropAttempt(before, attempt.number, facts, now);
  });
  if (isToDetach(order, after)) await detachFromOrder(money(), after, correlationId);
  return after;
}
