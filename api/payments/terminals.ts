/**
 * The calls that reach a provider: terminal, app claim, capture, cancel. Return addresses are written into the transaction
 * first; its workflow then makes the call, and the answer is read from the payment.
 */
import type { TransactionPlace } from '../../activities/payments/capture-calls.ts';
import type { PaymentWork, StoredPayment } from '../../activities/payments/payment-types.ts';
import { type AddressUse, payerOf, sealAddress } from '../../activities/payments/sealed-addresses.ts';
import { sealApp } from '../../activities/payments/sealed-app.ts';
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import { TERMINAL_LIFE_MS } from '../../workflows/orders/rules/expiry-time.ts';
import { assertNoRefund } from '../../workflows/orders/rules/guards.ts';
import type { Transaction } from '../../workflows/payments/rules/payment.ts';
import { liveTerminal, prepareTerminal, type TerminalRequest } from '../../workflows/payments/rules/terminal.ts';
import { transactionOf } from '../../workflows/payments/rules/transactions.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Handlers } from '../shared/operation.ts';
import { checkAddresses, type GivenAddresses } from './addresses.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { presentTransaction } from './presenters.ts';
import { type TransactionRequest, targetOf, transactionIdOf, workOf } from './requests.ts';

type TerminalOperations = Pick<
  Operations,
  'openTerminal' | 'openAppClaim' | 'captureTransaction' | 'cancelTransaction'
>;

export function createTerminalOperations(dependencies: PaymentsDependencies): Handlers<TerminalOperations> {
  const { calls } = dependencies;
  return {
    openTerminal: async (context) => {
      const { redirectUrl, callbackUrl, terminalLanguage, countryCode } = context.body;
      checkAddresses({ redirectUrl, callbackUrl }, context.channel, dependencies.openAddresses);
      const found = await find(dependencies, context);
      const request = {
        kind: 'TERMINAL' as const,
        ...(await sealed(dependencies, found, { redirectUrl, callbackUrl })),
        language: languageOf(context.channel, terminalLanguage),
        ...(countryCode !== undefined && { countryCode }),
      };
      const terminalUri = await open(dependencies, found, request, await workOf(context));
      return { status: 200, json: { ...idsOf(found), terminalUri } };
    },
    openAppClaim: async (context) => {
      const { phoneNumber, description, redirectUrl, callbackUrl } = context.body;
      checkAddresses({ redirectUrl, callbackUrl }, context.channel, dependencies.openAddresses);
      const found = await find(dependencies, context);
      assertMobile(found.transaction);
      const request = {
        kind: 'APP_CLAIM' as const,
        ...(await sealed(dependencies, found, { redirectUrl, callbackUrl })),
        language: languageOf(context.channel, undefined),
        app: await sealApp(dependencies.keys, found.stored.payment, { phoneNumber, description }),
      };
      const appClaimUrl = await open(dependencies, found, request, await workOf(context));
      return { status: 200, json: { ...idsOf(found), appClaimUrl } };
    },
    captureTransaction: async (context) => {
      const { place } = await find(dependencies, context);
      await calls.capture(place, await workOf(context));
      return await reply(dependencies, context);
    },
    cancelTransaction: async (context) => {
      const { place } = await find(dependencies, context);
      await calls.cancel(place, await workOf(context));
      return await reply(dependencies, context);
    },
  };
}

interface Found {
  readonly stored: StoredPayment;
  readonly transaction: Transaction;
  readonly place: TransactionPlace;
}

/** Throws NOT_FOUND. */
async function find({ payments }: PaymentsDependencies, request: TransactionRequest): Promise<Found> {
  const stored = await payments.get(...targetOf(request));
  const { organisationId, orderId, id: paymentId } = stored.payment;
  const transaction = transactionOf(stored.payment, transactionIdOf(request));
  const { id: transactionId, paymentPageId } = transaction;
  const page = paymentPageId === undefined ? {} : { paymentPageId };
  return { stored, transaction, place: { organisationId, orderId, paymentId, transactionId, ...page } };
}

function idsOf({ place: { paymentId, transactionId } }: Found) {
  return { paymentId, transactionId };
}

async function reply(dependencies: PaymentsDependencies, request: TransactionRequest) {
  const { stored, transaction } = await find(dependencies, request);
  return { status: 200 as const, json: presentTransaction(transaction, stored.payment.currency) };
}

async function sealed(
  { keys, orders }: PaymentsDependencies,
  { stored: { payment } }: Found,
  { redirectUrl, callbackUrl }: GivenAddresses,
) {
  const payer = payment.customerNumber ?? payerOf(payment, await orders.get(payment.organisationId, payment.orderId));
  const seal = (use: AddressUse, address: string) => sealAddress(keys, { payment, payer, use }, address);
  return {
    redirectUrl: await seal('redirect', redirectUrl),
    ...(callbackUrl !== undefined && { callbackUrl: await seal('callback', callbackUrl) }),
  };
}

/** Repeated, it answers the terminal that is open. Throws ORDER_LOCKED while a refund of the order runs. */
async function open(
  { payments, orders, orderMoney, calls, now }: PaymentsDependencies,
  { place }: Found,
  request: Omit<TerminalRequest, 'transactionId'>,
  work: PaymentWork,
): Promise<string> {
  const { organisationId, orderId, paymentId, transactionId } = place;
  // A refund may begin right after: what the customer authorises then is given back when its capture is refused for good, or idle.
  assertNoRefund(await orders.get(organisationId, orderId));
  // A session that lives is the condition that the change removes.
  const { workId: _workId, ...unkeyed } = work;
  await payments.change(organisationId, paymentId, unkeyed, (payment, at) =>
    prepareTerminal(payment, { ...request, transactionId }, at),
  );
  const lives = new Date(now().getTime() + TERMINAL_LIFE_MS);
  await orderMoney.raiseExpireAt(organisationId, orderId, lives, work);
  await calls.openTerminal(place, work);
  const { payment } = await payments.get(organisationId, paymentId);
  const address = liveTerminal(transactionOf(payment, transactionId));
  if (address === undefined) throw new ServiceError('INVALID_STATE', 'The terminal has ended meanwhile.');
  return address;
}

function languageOf({ defaultLanguage }: DistributionChannel, wanted: string | undefined): string {
  return wanted ?? defaultLanguage;
}

function assertMobile({ paymentTypeGroup, paymentType }: Transaction): void {
  if (paymentTypeGroup === 'MOBILE') return;
  const detail = `${paymentType} of ${paymentTypeGroup} is no app: open a terminal.`;
  throw new ServiceError('PAYMENT_METHOD_NOT_ALLOWED', detail);
}
