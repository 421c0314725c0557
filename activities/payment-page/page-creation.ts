/**
 * Makes payment pages. The page is written first and then tied to its order; what a crash leaves between the two, the
 * page's workflow completes or ends. Caller: the operation of the API.
 */
import { workItemId } from '../../platform/aggregate/work-item-id.ts';
import { assertNoRefund } from '../../workflows/orders/rules/guards.ts';
import type { Order } from '../../workflows/orders/rules/order.ts';
import type { OrderFacts, PageMethod, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { ended, isLive } from '../../workflows/payment-page/rules/page-end.ts';
import { DEFAULT_LIFE_MS } from '../../workflows/payment-page/rules/page-times.ts';
import type { DistributionChannelId, PaymentPageId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { BOOK_PROVIDER, type DistributionChannel } from '../shared/catalogue.ts';
import type { OrderMoneyAccess } from '../shared/orders.ts';
import { factsOf } from './order-facts.ts';
import { attachToOrder, detachFromOrder, isFinal } from './page-orders.ts';
import type { PageStore, PageWork, StoredPage, Tenancy } from './page-store.ts';
import type { PageTokens } from './page-tokens.ts';

export interface WantedPageContent {
  readonly order: Order;
  readonly orderVersion: number;
  readonly channel: DistributionChannel;
  readonly expireAt?: Date;
  readonly paymentMethods?: readonly PageMethod[];
  readonly usesProvider?: (provider: string) => boolean;
}

export interface CreationDependencies {
  readonly pages: PageStore;
  readonly tokens: PageTokens;
  readonly money: () => OrderMoneyAccess;
}

export interface CreatedPage extends StoredPage {
  readonly isRepeat: boolean;
}

/**
 * Throws ORDER_NOT_DRAFT, ORDER_VERSION_MISMATCH, CURRENCY_MISMATCH, AMOUNT_MISMATCH, PAYMENT_METHOD_NOT_ALLOWED,
 * PAYMENT_PAGE_ALREADY_OPEN, and what the order refuses: ORDER_EXPIRED, ORDER_LOCKED.
 */
export async function createPage(
  dependencies: CreationDependencies,
  wanted: WantedPageContent,
  work: PageWork,
): Promise<CreatedPage> {
  const { pages, tokens, money } = dependencies;
  const id = workItemId(work.workId, 'payment-page') as PaymentPageId;
  const earlier = await pages.find('ANY', id);
  const page = earlier?.page ?? newPage(wanted, id, pages.now());
  const created = await pages.create({ page, keyId: tokens.writingKeyId }, work);
  if (!created) throw await alreadyOpen(dependencies, wanted.order);
  if (!isLive(created.page)) return created;
  try {
    await closeEarlier(dependencies, wanted.order, created.page, work.correlationId);
    await attachToOrder(money(), created.page, work.correlationId);
    return created;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A lock ends, and the workflow ties the two then; the caller need not wait.
    if (!isFinal(error)) return created;
    const closed = await pages.change('ANY', id, (before, now) =>
      isLive(before) ? ended(before, 'CANCELLED', now) : before,
    );
    if (!created.isRepeat) throw error;
    return { ...closed, isRepeat: true };
  }
}

function newPage(wanted: WantedPageContent, id: PaymentPageId, now: Date): PaymentPage {
  const { order, orderVersion, channel } = wanted;
  const facts = factsOf(order);
  assertNoRefund(order);
  assertPayable(facts, orderVersion, channel);
  return {
    id,
    organisationId: order.organisationId,
    distributionChannelId: channel.id as DistributionChannelId,
    orderId: order.id,
    orderVersion,
    status: 'OPEN',
    expireAt: wanted.expireAt ?? new Date(now.getTime() + DEFAULT_LIFE_MS),
    paymentMethods: allowedMethods(channel, wanted.paymentMethods, wanted.usesProvider),
    amountMinor: facts.balanceMinor,
    currency: order.currency,
    contentMark: facts.contentMark,
    attempts: 0,
    createdAt: now,
  };
}

function assertPayable(
  { status, version, balanceMinor, currency }: OrderFacts,
  orderVersion: number,
  channel: DistributionChannel,
): void {
  if (version !== orderVersion) {
    throw new ServiceError('ORDER_VERSION_MISMATCH', `The version of the order is ${version}.`);
  }
  if (status !== 'DRAFT') throw new ServiceError('ORDER_NOT_DRAFT', 'Only a draft is paid by a page.');
  if (currency !== channel.currency) {
    throw new ServiceError(
      'CURRENCY_MISMATCH',
      `${channel.id} takes ${channel.currency}, the order is in ${currency}.`,
    );
  }
  if (balanceMinor <= 0)
    throw new ServiceError('AMOUNT_MISMATCH', 'Nothing is to be paid: the balance is not positive.');
}

/**
 * Money that is handled elsewhere cannot be paid on a page. Throws PAYMENT_METHOD_NOT_ALLOWED for a method that the channel
 * does not have, or whose payment provider is not set up, and where there is none.
 */
export function allowedMethods(
  { id, paymentMethods }: DistributionChannel,
  chosen?: readonly PageMethod[],
  usesProvider: (provider: string) => boolean = () => true,
): readonly PageMethod[] {
  const online = paymentMethods.filter(
    ({ active, provider }) => active && provider !== BOOK_PROVIDER && usesProvider(provider),
  );
  const key = ({ paymentTypeGroup, paymentType }: PageMethod) => `${paymentTypeGroup}/${paymentType}`;
  const known = new Map(online.map((method) => [key(method), method]));
  const wanted = (chosen ?? online).map(({ paymentTypeGroup, paymentType }) => ({ paymentTypeGroup, paymentType }));
  const unknown = wanted.find((method) => !known.has(key(method)));
  if (unknown)
    throw notAllowed(`${id} has no method ${key(unknown)} that is paid online, or its payment provider is not set up.`);
  if (wanted.length === 0)
    throw notAllowed(`${id} has no method that is paid online, or no payment provider of one is set up.`);
  return wanted;
}

function notAllowed(detail: string): ServiceError {
  return new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', `${detail} GET /v1/payment-methods lists them.`);
}

async function alreadyOpen({ pages, tokens }: CreationDependencies, { id }: Order): Promise<ServiceError> {
  const [open] = await pages.listLive([id]);
  const members = open && { paymentPageId: open.page.id, url: tokens.urlOf({ ...open.page, keyId: open.keyId }) };
  return new ServiceError('PAYMENT_PAGE_ALREADY_OPEN', 'The order has an open page: change it, or cancel it first.', {
    ...(members && { members }),
  });
}

/** A page that has ended may be named by its order for another moment. */
async function closeEarlier(
  { pages, money }: CreationDependencies,
  { paymentPageId, organisationId, id: orderId }: Order,
  page: PaymentPage,
  correlationId: string,
): Promise<void> {
  if (paymentPageId === undefined || paymentPageId === page.id) return;
  const earlier = await pages.find(organisationId as Tenancy, paymentPageId as PaymentPageId);
  if (earlier && isLive(earlier.page)) return;
  await detachFromOrder(money(), { id: paymentPageId as PaymentPageId, organisationId, orderId }, correlationId);
}
