/** JSON of payment pages, with the page's `ETag`. The link is told to those who may make pages, and never stored. */
import type { StoredPage } from '../../activities/payment-page/page-store.ts';
import type { OrderAccess } from '../../activities/shared/orders.ts';
import { isLive } from '../../workflows/payment-page/rules/page-end.ts';
import { payableUntil } from '../../workflows/payment-page/rules/page-times.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { revisionEtag } from '../shared/etags.ts';
import type { Schemas } from './contract.gen.ts';
import type { PaymentPageDependencies } from './dependencies.ts';

export const PAGES_PATH = '/v1/payment-page-orchestrator/payment-page';

type Order = Awaited<ReturnType<OrderAccess['get']>>;

export async function pageReply(dependencies: PaymentPageDependencies, stored: StoredPage) {
  const { page, revision } = stored;
  return {
    status: 200 as const,
    // The link is in the answer, and stored nowhere.
    unstored: true as const,
    headers: { etag: revisionEtag({ version: page.orderVersion, revision }) },
    json: await presentPage(dependencies, stored),
  };
}

async function presentPage(
  dependencies: PaymentPageDependencies,
  { page, keyId }: StoredPage,
): Promise<Schemas['PaymentPage']> {
  const { id, orderId, orderVersion, status, expireAt, paymentMethods, amountMinor, currency, createdAt } = page;
  const { completedAt, isUnaddressed, lastError } = page;
  const order = await dependencies.orders.get(page.organisationId, orderId);
  return {
    ...{ id, orderId, orderVersion, status },
    expireAt: expireAt.toISOString(),
    ...(isLive(page) && { payableUntil: payableUntil(page, order.expireAt).toISOString() }),
    paymentMethods,
    amount: formatAmount(amountMinor, currency),
    currency,
    url: dependencies.tokens.urlOf({ ...page, keyId }),
    createdAt: createdAt.toISOString(),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
    ...(lastError && { lastError }),
    // Of a page that has sent nothing they stay, also when somebody gets an address later.
    warnings: isUnaddressed ? ['NO_CONTACT_EMAIL', 'NO_TRAVELLER_EMAIL'] : await listWarnings(dependencies, order),
  };
}

/** Without an address the receipt, or the tickets, go nowhere. The contact gets the tickets of travellers without one. */
async function listWarnings(
  { customers }: PaymentPageDependencies,
  { organisationId, contact, createdBy, travellers }: Order,
): Promise<Schemas['PaymentPage']['warnings']> {
  const people = [contact ?? createdBy, ...travellers.map(({ customerNumber }) => customerNumber)];
  const known = people.filter((number): number is CustomerNumber => number !== undefined);
  const reached = await customers.listWithEmail(organisationId, known);
  const hasContact = contact !== undefined && reached.has(contact);
  return [
    ...(hasContact ? [] : (['NO_CONTACT_EMAIL'] as const)),
    ...(reached.size > 0 ? [] : (['NO_TRAVELLER_EMAIL'] as const)),
  ];
}
