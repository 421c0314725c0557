/**
 * Payment pages as their customers see them. Caller: the server of the pages. Nothing here tells a wrong link from a
 * closed one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/log.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import { findLockingRefund } from '../../workflows/orders/rules/refund-locks.ts';
import { isSameMethod, MAX_ATTEMPTS } from '../../workflows/payment-page/rules/attempts.ts';
import type { PageMethod, PaymentPage } from '../../workflows/payment-page/rules/page.ts';
import { payableUntil } from '../../workflows/payment-page/rules/page-times.ts';
import { type ShownStatus, shownStatus } from '../../workflows/payment-page/rules/shown.ts';
import { leaveAttempt } from '../../workflows/payment-page/rules/transitions.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { OrderAccess } from '../shared/orders.ts';
import type { AttemptPlace, AttemptState, PagePayments } from '../shared/payments.ts';
import { takeOutcome } from './attempt-outcome.ts';
import { factsOf } from './order-facts.ts';
import { asSold, viewOf } from './order-view.ts';
import { follow, needsWorkflow } from './page-following.ts';
import { callPay, signalOrderChanged } from './page-start.ts';
import type { PageStore, StoredPage } from './page-store.ts';
import type { PageTokens } from './page-tokens.ts';
import type {
  LinkedPage,
  PageForm,
  PageView,
  PayAnswer,
  PayForm,
  PaymentPageAccess,
  ReturnAnswer,
} from './page-types.ts';
import { ProviderLooks } from './provider-looks.ts';

export interface PaymentPagesOptions {
  readonly pages: PageStore;
  readonly tokens: PageTokens;
  readonly temporal: TemporalClient;
  readonly orders: () => Pick<OrderAccess, 'get'>;
  readonly payments: () => PagePayments;
  readonly customers: () => Pick<CustomerReader, 'findLanguage'>;
  readonly catalogue: () => Pick<CatalogueReader, 'current'>;
  readonly log: Logger;
}

/** A caller that makes more pages for one order than this loses the links of the oldest. */
const PAGES_OF_AN_ORDER = 20;
const ORDER_ID = /^[A-Z2-9]{8}$/;
const LONGEST_TOKEN = 100;
/** For the end of an attempt, while the customer waits. */
const ENDED_WITHIN_MS = 8_000;
const LOOK_EVERY_MS = 200;
/**
 * For the provider's word on a challenge, where it has not answered a question. Then the customer is sent to the terminal, which shows
 * what is left to do.
 */
const CHALLENGE_SEEN_WITHIN_MS = 3_000;

export class PaymentPages implements PaymentPageAccess {
  readonly #options: PaymentPagesOptions;
  readonly #looks: ProviderLooks;

  constructor(options: PaymentPagesOptions) {
    this.#options = options;
    this.#looks = new ProviderLooks(options);
  }

  async find(orderId: string, token: string): Promise<LinkedPage | undefined> {
    const { pages, tokens } = this.#options;
    if (!ORDER_ID.test(orderId) || token.length > LONGEST_TOKEN) return undefined;
    const found = await pages.listOfOrder(orderId as OrderId, PAGES_OF_AN_ORDER);
    // Each token is compared, so that the time does not tell which page is the right one.
    const linked = found.filter(({ page, keyId }) => tokens.isTokenOf({ ...page, keyId }, token));
    const [stored] = linked;
    if (!stored || shownStatus(stored.page, pages.now()) === undefined) return undefined;
    return linkedPage(stored.page);
  }

  async view(linked: LinkedPage): Promise<PageView | undefined> {
    const { orders, catalogue, pages } = this.#options;
    const stored = await this.#present(linked);
    if (!stored) return undefined;
    const { page } = stored;
    const status = shownStatus(page, pages.now());
    if (!status) return undefined;
    const [order, { content }] = await Promise.all([
      orders().get(page.organisationId, page.orderId),
      catalogue().current(),
    ]);
    const channel = content.distributionChannels.find(({ id }) => id === page.distributionChannelId);
    const seller = content.organisations.find(({ id }) => id === page.organisationId);
    const language =
      order.contact && (await this.#options.customers().findLanguage(page.organisationId, order.contact));
    const { amountMinor, currency, lastAttempt } = page;
    const isHeld = findLockingRefund(order) !== undefined;
    return {
      ...linkedPage(page),
      ...{ status, expireAt: payableUntil(page, order.expireAt), amountMinor, currency },
      forms: status === 'OPEN' && !isHeld ? this.#formsOf(stored, channel?.paymentMethods ?? []) : [],
      ...(status === 'OPEN' && isHeld && { isHeld }),
      order: viewOf(status === 'PAID' || status === 'COMPLETED' ? asSold(order) : order, content),
      language: language ?? channel?.defaultLanguage ?? 'nob',
      timeZone: content.timeZone,
      ...(seller && { sellerName: seller.name }),
      ...(status === 'OPEN' && lastAttempt && { lastAttempt }),
      ...(page.status === 'PAID' && page.lastError === 'DELIVERY_FAILED' && { deliveryFailed: true }),
      ...(page.isUnaddressed && { isUnaddressed: true }),
    };
  }

  async statusOf({ organisationId, pageId }: LinkedPage): Promise<ShownStatus | undefined> {
    const { pages } = this.#options;
    const stored = await pages.find(organisationId, pageId);
    return stored && shownStatus(stored.page, pages.now());
  }

  async pay(linked: LinkedPage, form: PayForm, correlationId: string): Promise<PayAnswer> {
    const { pages, tokens, temporal } = this.#options;
    const { organisationId, orderId, pageId } = linked;
    const stored = await pages.get(organisationId, pageId);
    const { page, keyId } = stored;
    const method = methodOf(form.paymentMethod);
    const facts = tokens.readNonce({ ...page, keyId }, form.formNonce);
    // Whatever was submitted: the customer goes on with the attempt that runs.
    if (page.attempt?.place) return await this.#terminalOf(page);
    if (!facts || !method) return { go: 'PAGE', why: 'CHANGED' };
    const { attempt: number, amountMinor } = facts;
    const { contentMark } = page;
    const request = {
      ...{ number, amountMinor, contentMark, ...method },
      ...{ language: form.language ?? 'nob', correlationId },
    };
    const answer = await callPay(temporal, { organisationId, orderId, pageId }, request);
    if (answer.refused !== undefined) return refusalOf(answer.refused);
    return await this.#terminalOf((await pages.get(organisationId, pageId)).page);
  }

  async endAttempt(linked: LinkedPage): Promise<ShownStatus | undefined> {
    const { pages, temporal } = this.#options;
    const { organisationId, orderId, pageId } = linked;
    // Should this process die before the signal, the sweep sends it.
    const stored = await pages.change(organisationId, pageId, leaveAttempt, { pendingStart: needsWorkflow });
    if (!stored.page.attempt?.ending) return shownStatus(stored.page, pages.now());
    await signalOrderChanged(temporal, { organisationId, orderId, pageId });
    await pages.clearPendingStart({ pageId, revision: stored.revision });
    for (const until = Date.now() + ENDED_WITHIN_MS; Date.now() < until; ) {
      const status = await this.statusOf(linked);
      if (status !== 'PROCESSING') return status;
      await delay(LOOK_EVERY_MS);
    }
    return 'PROCESSING';
  }

  async returned(linked: LinkedPage): Promise<ReturnAnswer> {
    const { pages, orders } = this.#options;
    const { organisationId, orderId, pageId } = linked;
    const { page } = await pages.get(organisationId, pageId);
    const { place } = page.attempt ?? {};
    if (!place) return { go: page.status === 'PROCESSING' ? 'WAIT' : 'PAGE' };
    const found = await this.#stateOnReturn({ organisationId, orderId, ...place });
    const state = await this.#withTerminal({ organisationId, orderId, ...place }, found);
    // Else the customer comes from there, and the provider has nothing to tell yet.
    const isToGo = state.state === 'RETRY' || !found.terminalUri;
    if (isToGo && state.terminalUri) return { go: 'TERMINAL', terminalUri: state.terminalUri };
    if (state.state === 'OPEN' || state.state === 'BUSY' || state.state === 'RETRY') return { go: 'WAIT' };
    // The workflow may be told later: the customer is here now.
    const order = factsOf(await orders().get(organisationId, orderId));
    const take = (before: PaymentPage, now: Date) =>
      before.attempt?.number === page.attempt?.number ? takeOutcome(before, state, order, now) : before;
    const after = await pages.change(organisationId, pageId, take, { pendingStart: needsWorkflow });
    return { go: after.page.status === 'PROCESSING' ? 'WAIT' : 'PAGE' };
  }

  /** An open page shows its order as it is at this moment. */
  async #present({ organisationId, orderId, pageId }: LinkedPage): Promise<StoredPage | undefined> {
    const { pages, orders } = this.#options;
    const stored = await pages.find(organisationId, pageId);
    if (stored?.page.status !== 'OPEN') return stored;
    const place = { id: pageId, organisationId, orderId };
    return await follow({ pages, orders }, place, { pendingStart: needsWorkflow });
  }

  /** After a soft decline it is not known at first whether the customer comes to the challenge or from it. */
  async #stateOnReturn(place: AttemptPlace): Promise<AttemptState> {
    const payments = this.#options.payments();
    const state = await payments.getAttempt(place);
    if (state.state !== 'OPEN' && state.state !== 'RETRY') return state;
    // The provider has ended the session, so nobody comes from the challenge.
    if (state.state === 'RETRY' && !state.terminalUri) return state;
    const until = Date.now() + CHALLENGE_SEEN_WITHIN_MS;
    // Once the provider was asked, the state tells where the customer is.
    if (await this.#looks.look(place, state.state)) return await payments.getAttempt(place);
    if (state.state === 'OPEN') return state;
    while (Date.now() < until) {
      await delay(LOOK_EVERY_MS);
      const after = await payments.getAttempt(place);
      if (after.state !== 'RETRY') return after;
    }
    return state;
  }

  /** A customer who is to pay has a terminal. */
  async #withTerminal(place: AttemptPlace, found: AttemptState): Promise<AttemptState> {
    const isToPay = found.state === 'OPEN' || found.state === 'RETRY';
    return isToPay && !found.terminalUri ? await this.#options.payments().openAgain(place) : found;
  }

  #formsOf({ page, keyId }: StoredPage, known: readonly KnownMethod[]): readonly PageForm[] {
    const { attempts, amountMinor, paymentMethods } = page;
    if (amountMinor <= 0 || attempts >= MAX_ATTEMPTS) return [];
    const formNonce = this.#options.tokens.nonceOf({ ...page, keyId }, { attempt: attempts + 1, amountMinor });
    return paymentMethods.flatMap((method) => {
      const active = known.find((each) => each.active && isSameMethod(each, method));
      if (!active) return [];
      const { paymentTypeGroup, paymentType } = method;
      const value = `${paymentTypeGroup}/${paymentType}`;
      return [{ paymentTypeGroup, paymentType, value, name: active.name, formNonce }];
    });
  }

  async #terminalOf({ attempt, organisationId, orderId }: PaymentPage): Promise<PayAnswer> {
    if (!attempt?.place || attempt.ending) return { go: 'PAGE', why: 'BUSY' };
    const place = { organisationId, orderId, ...attempt.place };
    const found = await this.#options.payments().getAttempt(place);
    const { state, terminalUri } = await this.#withTerminal(place, found);
    const isOpen = state === 'OPEN' || state === 'RETRY';
    return isOpen && terminalUri ? { go: 'TERMINAL', terminalUri } : { go: 'PAGE', why: 'BUSY' };
  }
}

type KnownMethod = PageMethod & { readonly name: string; readonly active: boolean };

function linkedPage({ organisationId, orderId, id: pageId }: PaymentPage): LinkedPage {
  return { organisationId, orderId, pageId };
}

function methodOf(value: string): PageMethod | undefined {
  const [, paymentTypeGroup, paymentType] = /^([\w-]{1,50})\/([\w-]{1,50})$/.exec(value) ?? [];
  return paymentTypeGroup && paymentType ? { paymentTypeGroup, paymentType } : undefined;
}

function refusalOf(code: string): PayAnswer {
  if (code === 'RESOURCE_BUSY') return { go: 'STOPPED' };
  // The page itself says that a refund runs.
  if (code === 'PAYMENT_PAGE_CLOSED' || code === 'ORDER_LOCKED') return { go: 'PAGE', why: 'CLOSED' };
  return { go: 'PAGE', why: code === 'PAYMENT_METHOD_NOT_ALLOWED' ? 'METHOD' : 'CHANGED' };
}
