/** Payments with a transaction each, and invoices, so that generated requests reach existing ones. Used by fuzz-api.ts. */
import { randomUUID } from 'node:crypto';
import type { Service } from '../support/service.ts';

const COUNT = 10;
const AMOUNT = '100.00';
/** It takes invoices, which no provider is asked for. */
const CHANNEL = 'SVC:DistributionChannel:FjordbussBusiness';

export interface PaymentLists {
  readonly payments: readonly string[];
  /** At each place that of the payment at the same place. */
  readonly transactions: readonly string[];
  readonly invoices: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

export async function createPayments(service: Service, token: string): Promise<PaymentLists> {
  const made = { payments: [] as string[], transactions: [] as string[], invoices: [] as string[] };
  const create = async (path: string, body: object): Promise<Members> => await post(service, path, token, body);
  for (let at = 0; at < COUNT; at += 1) {
    const { id: orderId } = await create('/v1/orders', {});
    await create(`/v1/orders/${orderId}/fees`, { type: 'BOOKING', price: { amount: AMOUNT }, reason: 'fuzz' });
    const method = at % 2 ? { paymentTypeGroup: 'INVOICE', paymentType: 'INVOICE' } : VISA;
    const body = { orderId, orderVersion: 1, totalAmount: AMOUNT, transaction: { amount: AMOUNT, ...method } };
    const { paymentId, transactionHistory } = await create('/v1/payments', body);
    const [transaction] = transactionHistory as readonly Members[];
    made.payments.push(String(paymentId));
    made.transactions.push(String(transaction?.transactionId));
    const invoice = { customerIdentificationNumber: '01017012345', externalInvoiceNumber: randomUUID() };
    const more = { amount: AMOUNT, dueDate: '2030-01-31', reason: 'fuzz' };
    made.invoices.push(String((await create('/v1/penalty-fare-invoices', { ...invoice, ...more })).invoiceId));
  }
  return made;
}

const VISA = { paymentTypeGroup: 'PAYMENTCARD', paymentType: 'VISA' };

async function post({ apiUrl }: Service, path: string, token: string, body: object): Promise<Members> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'service-distribution-channel': CHANNEL,
  };
  const response = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Members;
}
