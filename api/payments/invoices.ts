/** Penalty fare invoices. Whether one is paid follows from its transaction. */
import type { TransactionPlace } from '../../activities/payments/capture-calls.ts';
import type { Invoice } from '../../activities/payments/invoice-document.ts';
import {
  cancelInvoice,
  type InvoiceStatus,
  invoiceStatusOf,
  issueInvoice,
} from '../../activities/payments/invoicing.ts';
import { openInvoices } from '../../activities/payments/sealed-invoice.ts';
import { ORDER } from '../../activities/shared/order-kind.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Handlers } from '../shared/operation.ts';
import { readAmount } from '../shared/prices.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { type InvoiceRequest, tenancyOf, workOf } from './requests.ts';

type InvoiceOperations = Pick<
  Operations,
  'createInvoice' | 'searchInvoices' | 'getInvoice' | 'payInvoice' | 'cancelInvoice'
>;

const INVOICES_PATH = '/v1/penalty-fare-invoices';

export function createInvoiceOperations(dependencies: PaymentsDependencies): Handlers<InvoiceOperations> {
  const { invoices, calls } = dependencies;
  const find = async ({ path, caller }: InvoiceRequest) =>
    await invoices.get(tenancyOf(caller), plainUuid(path.invoiceId) as Invoice['id']);
  const reply = async (invoice: Invoice) => ({ status: 200 as const, ...(await shown(dependencies, invoice)) });
  return {
    createInvoice: createHandler(dependencies),
    searchInvoices: async ({ caller, search }) => {
      const { items, totalItems } = await invoices.search(tenancyOf(caller), search);
      return { status: 200, json: toSearchPage(search, await present(dependencies, items), totalItems) };
    },
    getInvoice: async (context) => await reply(await find(context)),
    payInvoice: async (context) => {
      const invoice = await find(context);
      const work = await workOf(context);
      const status = await statusOf(dependencies, invoice);
      if (status === 'CANCELLED') throw new ServiceError('INVALID_STATE', 'The invoice is cancelled.');
      if (status === 'ISSUED') await calls.capture(placeOf(invoice), work);
      return await reply(invoice);
    },
    cancelInvoice: async (context) => {
      const invoice = await find(context);
      await cancelInvoice(dependencies, invoice, await workOf(context));
      return await reply(invoice);
    },
  };
}

function createHandler(dependencies: PaymentsDependencies): Handlers<InvoiceOperations>['createInvoice'] {
  return async (context) => {
    const { body, caller, channel } = context;
    const { amount, currency = channel.currency, orderId, customerNumber, ...given } = body;
    const wanted = {
      ...given,
      ...{ tenancy: tenancyOf(caller), organisationId: caller.organisationId, channel, currency },
      amountMinor: readAmount(amount, currency, '/amount'),
      ...(orderId !== undefined && { orderId }),
      ...(customerNumber !== undefined && { customerNumber }),
    };
    const invoice = await issueInvoice(dependencies, wanted, await workOf(context));
    const headers = { location: `${INVOICES_PATH}/${invoice.id}` };
    return { status: 201, headers, ...(await shown(dependencies, invoice)) };
  };
}

/** Nothing else of the invoice may reach a workflow. */
function placeOf({ organisationId, orderId, paymentId, transactionId }: Invoice): TransactionPlace {
  return { organisationId, orderId, paymentId, transactionId };
}

async function statusOf({ payments }: PaymentsDependencies, invoice: Invoice): Promise<InvoiceStatus> {
  const { payment } = await payments.get(invoice.organisationId, invoice.paymentId);
  return invoiceStatusOf(invoice, payment);
}

/** The reason is the order's secret: a stored answer is erased with its key. */
async function shown(dependencies: PaymentsDependencies, invoice: Invoice) {
  const [json] = await present(dependencies, [invoice]);
  if (!json) throw new Error('One invoice has one presentation');
  return { json, ...(json.reason !== undefined && { subject: ORDER.subjectOf(invoice.orderId) }) };
}

async function present(dependencies: PaymentsDependencies, invoices: readonly Invoice[]) {
  const [texts, payments] = await Promise.all([
    openInvoices(dependencies.keys, invoices),
    dependencies.payments.listByIds(invoices.map(({ paymentId }) => paymentId)),
  ]);
  const byId = new Map(payments.map(({ payment }) => [payment.id, payment]));
  return invoices.map((invoice, index) => {
    const { id, amountMinor, currency, externalInvoiceNumber, dueDate, orderId, paymentId, customerNumber } = invoice;
    const payment = byId.get(paymentId);
    if (!payment) throw new Error('The payment of an invoice is missing');
    return {
      invoiceId: id,
      status: invoiceStatusOf(invoice, payment),
      amount: formatAmount(amountMinor, currency),
      ...{ externalInvoiceNumber, currency, dueDate, orderId, paymentId, customerNumber },
      reason: texts[index]?.reason,
      createdAt: invoice.createdAt.toISOString(),
    };
  });
}
