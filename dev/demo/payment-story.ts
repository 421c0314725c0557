/**
 * The partner's chapter on a payment: a terminal, a card that needs 3-D Secure, two captures, and the order that is
 * confirmed by the second. The customer's part is played on the pages of the payment provider simulator.
 */
import { ask, type Caller, read, write } from './partner-client.ts';
import { StoryError, say } from './story.ts';
import { submitForm } from './terminal-forms.ts';

/** Soft-declines the first capture. */
const CARD = '4000002500003155';
const SHOP = 'https://shop.example/paid';

interface Transaction {
  readonly transactionId: number;
  readonly status: string;
  readonly cardNumber?: string;
  readonly rrn?: string;
  readonly operationLog: readonly { readonly operation: string }[];
}

interface Payment {
  readonly paymentId: number;
  readonly status: string;
  readonly currency: string;
  readonly summary: { readonly captured: string; readonly remaining: string };
  readonly transactionHistory: readonly Transaction[];
}

interface Order {
  readonly status: string;
  readonly version: number;
  readonly balance: string;
  readonly currency: string;
}

type Headers = Readonly<Record<string, string>>;

export async function tellPayment(caller: Caller, orderId: string, headers: Headers): Promise<void> {
  const { version: orderVersion, balance } = await read<Order>(caller, `/v1/orders/${orderId}`);
  const method = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };
  const wanted = { orderId, orderVersion, totalAmount: balance, transaction: { amount: balance, ...method } };
  const payment = await write<Payment>(caller, 'POST', '/v1/payments', wanted, 201, headers);
  const { transactionId } = payment.transactionHistory[0] as Transaction;
  const path = `/v1/payments/${payment.paymentId}/transactions/${transactionId}`;
  say('A payment by card', `payment ${payment.paymentId} of ${balance} ${payment.currency}, ${payment.status}`);
  const terminal = { redirectUrl: SHOP, terminalLanguage: 'eng' };
  const { terminalUri } = await write<{ terminalUri: string }>(
    caller,
    'POST',
    `${path}/terminal`,
    terminal,
    200,
    headers,
  );
  const back = await submitForm(terminalUri, 'pay', { cardNumber: CARD });
  say('The customer pays with a test card', `on the provider’s page ${terminalUri}`, `and is sent to ${back}`);
  await tellSoftDecline(caller, path, headers);
  const again = await submitForm(terminalUri, 'approve');
  say('The customer passes 3-D Secure', 'on the same page', `and is sent to ${again}`);
  const captured = await write<Transaction>(caller, 'PUT', `${path}/capture`, undefined, 200, headers);
  const log = captured.operationLog.map(({ operation }) => operation).join(', ');
  say('The second capture', `${captured.status}, card …${captured.cardNumber}, rrn ${captured.rrn}`, log);
  await tellConfirmed(caller, orderId, payment.paymentId, headers);
}

async function tellSoftDecline(caller: Caller, path: string, headers: Headers): Promise<void> {
  const answer = await ask(caller, 'PUT', `${path}/capture`, undefined, headers);
  const { errorReason, detail } = (await answer.json()) as { errorReason?: string; detail?: string };
  if (answer.status !== 409 || errorReason !== 'SOFT_DECLINE')
    throw new StoryError(
      `The first capture answered ${answer.status} ${errorReason}: ${detail}`,
      'Is the simulator running?',
    );
  say('The first capture is soft-declined', `${answer.status} ${errorReason}: ${detail}`);
}

async function tellConfirmed(caller: Caller, orderId: string, paymentId: number, headers: Headers): Promise<void> {
  const { status, balance, currency } = await read<Order>(caller, `/v1/orders/${orderId}`);
  const { status: paid, summary } = await read<Payment>(caller, `/v1/payments/${paymentId}`, headers);
  const sums = `captured ${summary.captured} ${currency}, remaining ${summary.remaining}`;
  say(
    'The money confirms the order',
    `order ${orderId} is ${status}, balance ${balance}`,
    `the payment is ${paid}: ${sums}`,
  );
  if (status !== 'CONFIRMED') throw new StoryError(`The paid order is ${status}`, 'See the workflow capture.');
}
