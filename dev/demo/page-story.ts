/**
 * The partner's chapter on a payment page: an order for somebody who is not here, a link, and a customer who pays behind
 * it. The customer's part is played on the payment page and on the page of the payment provider simulator.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createGuest } from './guest.ts';
import type { SentOrder } from './mail-story.ts';
import { type Caller, read, write } from './partner-client.ts';
import { StoryError, say } from './story.ts';
import { submitForm } from './terminal-forms.ts';

const PAGES = '/v1/payment-page-orchestrator/payment-page';
const CARD = '4111111111111111';
/** It takes a second; a slow machine has more. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 200;

interface PaymentPage {
  readonly id: string;
  readonly status: string;
  readonly url: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethods: readonly { readonly paymentType: string }[];
  readonly warnings: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

export async function tellPaymentPage(
  caller: Caller & { readonly organisationId: number },
  offerConfigurations: readonly object[],
  headers: Headers,
): Promise<SentOrder & { readonly providerUrl: string }> {
  const body = { offerConfigurations };
  const { orderId } = await write<{ orderId: string }>(caller, 'POST', '/v1/reserve-offers', body, 200, headers);
  const { email, customerNumber: id } = await createGuest(caller, caller.organisationId);
  await write(caller, 'PUT', `/v1/orders/${orderId}/contact-info`, { contact: { id } }, 200);
  const page = await write<PaymentPage>(caller, 'POST', PAGES, { orderId, orderVersion: 1 }, 201);
  const methods = page.paymentMethods.map(({ paymentType }) => paymentType).join(', ');
  say(
    'A payment page for somebody else’s order',
    `order ${orderId}, ${page.amount} ${page.currency}, by ${methods}`,
    `its contact is customer ${id}, ${email}`,
    `the link to send: ${page.url}`,
    `warnings: ${page.warnings.join(', ') || 'none'}`,
  );
  const terminalUri = await submitForm(page.url);
  const back = await submitForm(terminalUri, 'pay', { cardNumber: CARD });
  await fetch(back);
  const paid = await paidPage(caller, page.id);
  const { status, balance } = await read<{ status: string; balance: string }>(caller, `/v1/orders/${orderId}`);
  say(
    'The customer chooses a card there, and pays',
    `on the provider’s page ${terminalUri}`,
    'and comes back to the payment page',
    `the page is ${paid.status}, order ${orderId} ${status}, balance ${balance}`,
  );
  if (status !== 'CONFIRMED') throw new StoryError(`The paid order is ${status}`, 'See the workflow payment-page.');
  return { orderId, email, providerUrl: new URL(terminalUri).origin };
}

async function paidPage(caller: Caller, id: string): Promise<PaymentPage> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const page = await read<PaymentPage>(caller, `${PAGES}/${id}`);
    if (page.status === 'COMPLETED') return page;
    if (Date.now() > until) throw new StoryError(`The page stays ${page.status}`, 'See the workflow payment-page.');
    await sleep(LOOK_MS);
  }
}
