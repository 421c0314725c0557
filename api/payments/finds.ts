/** How each operation finds what its path names, for this caller. */
import { transactionOf } from '../../workflows/payments/rules/transactions.ts';
import type { CreditId, InvoiceId } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Finds } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import {
  type CreditRequest,
  type InvoiceRequest,
  type PaymentRequest,
  type TransactionRequest,
  targetOf,
  tenancyOf,
  transactionIdOf,
} from './requests.ts';

export function createFinds({
  payments,
  credits,
  invoices,
}: Pick<PaymentsDependencies, 'payments' | 'credits' | 'invoices'>): Finds<Operations> {
  const payment = async (request: PaymentRequest) => await payments.require(...targetOf(request));
  const transaction = async (request: TransactionRequest) => {
    const found = await payments.get(...targetOf(request));
    transactionOf(found.payment, transactionIdOf(request));
  };
  const invoice = async ({ path, caller }: InvoiceRequest) =>
    await invoices.get(tenancyOf(caller), plainUuid(path.invoiceId) as InvoiceId);
  const credit = async ({ path, caller }: CreditRequest) =>
    await credits.get(tenancyOf(caller), Number(path.creditId) as CreditId);
  return {
    getPayment: payment,
    patchPayment: payment,
    addTransaction: payment,
    importTransaction: payment,
    getTransaction: transaction,
    openTerminal: transaction,
    openAppClaim: transaction,
    captureTransaction: transaction,
    cancelTransaction: transaction,
    getInvoice: invoice,
    payInvoice: invoice,
    cancelInvoice: invoice,
    // It has no caller: the handler finds the provider.
    receiveProviderCallback: async () => undefined,
    getCredit: credit,
    resolveCredit: credit,
  };
}
