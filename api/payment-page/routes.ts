/**
 * Payment pages for those who make them: customer support, a partner's back end. The pages themselves have a server of
 * their own. openapi.yaml describes the operations.
 */

import { allowedMethods, createPage } from '../../activities/payment-page/page-creation.ts';
import { callCancel, callPatch, startPaymentPage } from '../../activities/payment-page/page-start.ts';
import type { StoredPage } from '../../activities/payment-page/page-store.ts';
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import { startPending } from '../../platform/aggregate/pending-starts.ts';
import type { PageAnswer, PaymentPageInput } from '../../workflows/payment-page/messages.ts';
import { cancelPage, patchPage } from '../../workflows/payment-page/rules/transitions.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, Handlers, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentPageDependencies } from './dependencies.ts';
import { PAGES_PATH, pageReply } from './presenters.ts';
import { checkedExpiry, checkedRevision, expiryOf, targetOf, tenancyOf } from './requests.ts';

/** Of requests that name no channel. */
const DEFAULT_CHANNEL = 'SVC:DistributionChannel:PaymentPage';
const EVERY_ORGANISATION = 'organisation:any';

export function createPaymentPageArea(dependencies: PaymentPageDependencies): TypedArea<Operations> {
  const { pages } = dependencies;
  return {
    name: 'payment-page',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      createPaymentPage: createHandler(dependencies),
      getPaymentPage: async (context) => await pageReply(dependencies, await pages.get(...targetOf(context))),
      patchPaymentPage: patchHandler(dependencies),
      cancelPaymentPage: cancelHandler(dependencies),
    },
    finds: {
      getPaymentPage: async (context) => await pages.get(...targetOf(context)),
      patchPaymentPage: async (context) => await pages.get(...targetOf(context)),
      cancelPaymentPage: async (context) => await pages.get(...targetOf(context)),
    },
  };
}

function createHandler(dependencies: PaymentPageDependencies): Handlers<Operations>['createPaymentPage'] {
  const { orders, pages, temporal, usesProvider } = dependencies;
  return async ({ body, caller, channel, correlationId, idempotency, log }) => {
    const { orderVersion, paymentMethods } = body;
    const order = await orders.get(tenancyOf(caller), body.orderId);
    const expireAt = body.expireAt === undefined ? undefined : checkedExpiry(body.expireAt, pages.now());
    const wanted = {
      ...{ order, orderVersion, channel: channel ?? (await defaultChannel(dependencies, caller)) },
      ...(expireAt && { expireAt }),
      ...(paymentMethods && { paymentMethods }),
      ...(usesProvider && { usesProvider }),
    };
    const { workId } = await idempotency.claim();
    const { isRepeat, ...created } = await createPage(dependencies, wanted, { workId, correlationId });
    const { id: pageId } = created.page;
    await startPending(created, {
      start: async () => await startPaymentPage(temporal, inputOf(created)),
      clear: async ({ revision }) => await pages.clearPendingStart({ pageId, revision }),
      describe: () => ({ paymentPageId: pageId }),
      log,
    });
    const { status: _ok, headers, ...reply } = await pageReply(dependencies, created);
    const replayed = isRepeat ? { 'idempotency-replayed': 'true' } : {};
    return { status: 201, ...reply, headers: { ...headers, location: `${PAGES_PATH}/${pageId}`, ...replayed } };
  };
}

async function defaultChannel(
  { catalogue }: PaymentPageDependencies,
  { organisationId, scopes }: Caller,
): Promise<DistributionChannel> {
  const channel = await catalogue.findChannel(DEFAULT_CHANNEL);
  const mayUse = channel?.organisationIds.includes(organisationId) || scopes.has(EVERY_ORGANISATION);
  if (channel && mayUse) return channel;
  const detail = `${DEFAULT_CHANNEL} is not granted to your organisation: name another channel.`;
  throw new ServiceError('DISTRIBUTION_CHANNEL_FORBIDDEN', detail);
}

function patchHandler(dependencies: PaymentPageDependencies): Handlers<Operations>['patchPaymentPage'] {
  const { pages, temporal, catalogue, usesProvider } = dependencies;
  return async (context) => {
    const { body, headers, correlationId, idempotency } = context;
    const stored = await pages.get(...targetOf(context));
    const { workId } = await idempotency.claim();
    if (await pages.isDone(stored.page.id, workId)) return await pageReply(dependencies, stored);
    const expireAt = expiryOf(body, pages.now());
    const paymentMethods = body.paymentMethods && [...body.paymentMethods];
    if (paymentMethods) {
      const channel = await catalogue.findChannel(stored.page.distributionChannelId);
      if (channel) allowedMethods(channel, paymentMethods, usesProvider);
    }
    const patch = { ...(expireAt && { expireAt }), ...(paymentMethods && { paymentMethods }) };
    // A page that has ended has no workflow: it is refused, or answered, from the document.
    patchPage(stored.page, patch, pages.now());
    const answer = await callPatch(temporal, inputOf(stored), {
      ...{ workId, correlationId, ...checkedRevision(stored, headers['if-match']) },
      ...(expireAt && { expireAtMs: expireAt.getTime() }),
      ...(paymentMethods && { paymentMethods }),
    });
    assertDone(answer);
    return await pageReply(dependencies, await pages.get(...targetOf(context)));
  };
}

function cancelHandler(dependencies: PaymentPageDependencies): Handlers<Operations>['cancelPaymentPage'] {
  const { pages, temporal } = dependencies;
  return async (context) => {
    const { headers, correlationId, idempotency } = context;
    const stored = await pages.get(...targetOf(context));
    const { workId } = await idempotency.claim();
    if (await pages.isDone(stored.page.id, workId)) return await pageReply(dependencies, stored);
    const seen = checkedRevision(stored, headers['if-match']);
    if (cancelPage(stored.page, pages.now()) === stored.page) return await pageReply(dependencies, stored);
    assertDone(await callCancel(temporal, inputOf(stored), { workId, correlationId, ...seen }));
    return await pageReply(dependencies, await pages.get(...targetOf(context)));
  };
}

function inputOf({ page }: StoredPage): PaymentPageInput {
  const { organisationId, orderId, id: pageId } = page;
  return { organisationId, orderId, pageId };
}

function assertDone(answer: PageAnswer): void {
  if (answer.refused !== undefined) throw new ServiceError(answer.refused, answer.detail);
}
