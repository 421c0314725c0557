/** What the activities of payment pages share: dependencies, looking at a page, and the step that a workflow is told. */
import type { AnsweredStep, PageStep } from '../../workflows/payment-page/activities.ts';
import type { PaymentPageInput } from '../../workflows/payment-page/messages.ts';
import type { PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { ended, isLive, isOver } from '../../workflows/payment-page/rules/page-end.ts';
import { nextDeadline } from '../../workflows/payment-page/rules/page-times.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { OrderAccess, OrderMoneyAccess } from '../shared/orders.ts';
import type { PagePayments } from '../shared/payments.ts';
import { follow } from './page-following.ts';
import { attachToOrder, detachFromOrder, isFinal, isTied, isToDetach } from './page-orders.ts';
import type { PageStore } from './page-store.ts';

export interface PageDependencies {
  readonly pages: PageStore;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly money: () => OrderMoneyAccess;
  readonly payments: () => PagePayments;
}

/** A page that a restore has taken away: its workflow ends. */
export const GONE: PageStep = { status: 'CANCELLED', isOver: true, isEnding: false };

export async function orGone(run: () => Promise<PageStep>): Promise<PageStep> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return GONE;
    throw error;
  }
}

export function stepOf(page: PaymentPage): PageStep {
  const { status, lastError, attempt } = page;
  const deadline = nextDeadline(page);
  return {
    status,
    isOver: isOver(page),
    isEnding: attempt?.ending !== undefined,
    ...(lastError && { lastError }),
    ...(deadline && { deadlineMs: deadline.getTime() }),
  };
}

/** The page follows its order and the time; then the order is told whether it has a page still. */
export async function lookAt(dependencies: PageDependencies, input: PaymentPageInput): Promise<PaymentPage> {
  const { pages, money } = dependencies;
  const { page, order, correlationId } = await follow(dependencies, { ...input, id: input.pageId });
  if (isToDetach(order, page)) await detachFromOrder(money(), page, correlationId);
  if (!isLive(page) || isTied(order, page)) return page;
  try {
    await attachToOrder(money(), page, correlationId);
    return page;
  } catch (error) {
    if (!isFinal(error)) throw error;
    // The draft is due, or has another page: nobody could pay on this one.
    return (await pages.change(input.organisationId, input.pageId, giveUp)).page;
  }
}

function giveUp(page: PaymentPage, now: Date): PaymentPage {
  return page.status === 'OPEN' ? ended(page, 'CANCELLED', now) : page;
}

/** What a caller is refused is an answer, with the page as it is then; everything else is tried again. */
export async function answered(
  { pages }: PageDependencies,
  { organisationId, pageId }: PaymentPageInput,
  change: () => Promise<PaymentPage>,
): Promise<AnsweredStep> {
  try {
    return { answer: { done: true }, step: stepOf(await change()) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const step = await orGone(async () => stepOf((await pages.get(organisationId, pageId)).page));
    return { answer: { refused: error.code, detail: error.message }, step };
  }
}
