/**
 * The partner's last chapter: one of two travellers does not go. Its line is refunded, the provider's ledger has the credit, the
 * receipt of it is mailed, and the books of the shift balance.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SentOrder } from './mail-story.ts';
import { type Caller, read, write } from './partner-client.ts';
import { StoryError, say } from './story.ts';

/** It takes seconds; a slow machine has more. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 200;
const RECEIPT = /Kvittering|Receipt/;

interface Option {
  readonly orderLineRef: { readonly id: string; readonly version: number };
  readonly refundRule: { readonly id: string; readonly refundPercent: number; readonly feeAmount: string };
  readonly refundAmount: string;
  readonly fee: string;
}

interface Refund {
  readonly refundId: string;
  readonly status: string;
  readonly refundAmount: string;
  readonly currency: string;
  readonly creditId: number;
  readonly disabledTicketIds: readonly number[];
  readonly affectedPaymentAndPaymentTransactionIds: Readonly<Record<string, readonly number[]>>;
}

interface Movement {
  readonly amountMinor: number;
}

type Headers = Readonly<Record<string, string>>;

export async function tellRefund(
  caller: Caller,
  { orderId, email, providerUrl }: SentOrder & { readonly providerUrl: string },
  mailUrl: string | undefined,
  headers: Headers,
): Promise<void> {
  const { options } = await read<{ options: readonly Option[] }>(caller, `/v1/refunds/options/${orderId}`, headers);
  const [option] = options;
  if (!option)
    throw new StoryError(`Nothing of order ${orderId} can be refunded`, 'See the rules of the demo catalogue.');
  say('What can be refunded', ...options.map(tellOption));
  const { settlementId } = await write<{ settlementId: string }>(
    caller,
    'POST',
    '/v1/settlements',
    undefined,
    201,
    headers,
  );
  const refund = await refundOne(caller, orderId, option, { ...headers, 'service-settlement-id': settlementId });
  const { refundAmount, currency, disabledTicketIds, creditId } = refund;
  const order = await read<{ status: string; version: number; totalAmount: string; balance: string }>(
    caller,
    `/v1/orders/${orderId}`,
  );
  say(
    'One of the two stays at home',
    `${refundAmount} ${currency} are paid back by credit ${creditId}, ticket ${disabledTicketIds.join(', ')} is disabled`,
    `order ${orderId} is ${order.status} in version ${order.version}: ${order.totalAmount} ${currency}, balance ${order.balance}`,
  );
  await tellCredit(providerUrl, refund);
  if (mailUrl !== undefined) await tellReceipt(mailUrl, email);
  await tellBooks(caller, settlementId, headers);
}

async function refundOne(caller: Caller, orderId: string, option: Option, headers: Headers): Promise<Refund> {
  const { orderLineRef, refundRule, refundAmount } = option;
  const body = { refundOperations: [{ orderLineRef, refundRule: { id: refundRule.id }, refundAmount }] };
  const { totalRefundAmount } = await write<{ totalRefundAmount: string }>(
    caller,
    'PUT',
    `/v1/refunds/${orderId}/dry-run`,
    body,
    200,
    headers,
  );
  if (totalRefundAmount !== refundAmount)
    throw new StoryError('The dry run differs from the option', 'This is a defect.');
  return await write<Refund>(caller, 'POST', `/v1/refunds/${orderId}`, body, 200, headers);
}

/** What the provider says itself. */
async function tellCredit(providerUrl: string, refund: Refund): Promise<void> {
  const paymentIds = Object.keys(refund.affectedPaymentAndPaymentTransactionIds);
  const { entries } = (await (await fetch(`${providerUrl}/ledger`)).json()) as {
    readonly entries: readonly { readonly reference: string; readonly refunds: readonly Movement[] }[];
  };
  const own = entries.filter(({ reference }) => paymentIds.includes(reference.split('/')[0] ?? ''));
  const paidBackMinor = own.flatMap(({ refunds }) => refunds).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (paidBackMinor !== Math.round(Number(refund.refundAmount) * 100)) {
    throw new StoryError(`The provider has paid ${paidBackMinor} øre back`, 'This is a defect.');
  }
  say(
    'The provider’s ledger has the credit',
    ...own.map((each) => `${each.reference}: ${JSON.stringify(each.refunds)}`),
  );
}

/** The receipt of the sale is the first. */
async function tellReceipt(mailUrl: string, email: string): Promise<void> {
  const address = `${mailUrl}/messages?to=${encodeURIComponent(email)}`;
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
    const mails = (await (await fetch(address)).json()) as readonly { readonly subject: string }[];
    const receipts = mails.filter(({ subject }) => RECEIPT.test(subject));
    if (receipts.length >= 2)
      return say('The receipt of the refund is in the in-box', ...receipts.map(({ subject }) => `“${subject}”`));
    if (Date.now() > until)
      throw new StoryError(`${address} has no receipt of the refund`, 'See the workflow delivery.');
  }
}

async function tellBooks(caller: Caller, settlementId: string, headers: Headers): Promise<void> {
  await write(caller, 'POST', `/v1/settlements/${settlementId}/close`, undefined, 200, headers);
  const { items } = await read<{
    readonly items: readonly { readonly account: string; readonly debit: string; readonly credit: string }[];
  }>(caller, `/v1/settlements/${settlementId}/entries`, headers);
  const sum = (side: 'debit' | 'credit') =>
    items.reduce((total, entry) => total + Math.round(Number(entry[side]) * 100), 0);
  if (items.length === 0 || sum('debit') !== sum('credit'))
    throw new StoryError('The books do not balance', 'This is a defect.');
  say(
    'The books of the shift balance',
    ...items.map(({ account, debit, credit }) => `${account}: debit ${debit}, credit ${credit}`),
  );
}

function tellOption({ orderLineRef, refundRule, refundAmount, fee }: Option): string {
  return `line ${orderLineRef.id}: ${refundAmount} back, ${fee} kept (rule ${refundRule.id}, ${refundRule.refundPercent} %)`;
}
