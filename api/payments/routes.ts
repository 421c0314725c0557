/** The payments area: openapi.yaml describes each operation. */
import type { TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { createCreditOperations } from './credits.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { createFinds } from './finds.ts';
import { createInvoiceOperations } from './invoices.ts';
import { createPaymentOperations } from './payments.ts';
import { createProviderCallbackOperations } from './provider-callbacks.ts';
import { createTerminalOperations } from './terminals.ts';
import { createTransactionOperations } from './transactions.ts';

export function createPaymentsArea(dependencies: PaymentsDependencies): TypedArea<Operations> {
  return {
    name: 'payment',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      ...createPaymentOperations(dependencies),
      ...createTransactionOperations(dependencies),
      ...createTerminalOperations(dependencies),
      ...createCreditOperations(dependencies),
      ...createInvoiceOperations(dependencies),
      ...createProviderCallbackOperations(dependencies.callbacks),
    },
    finds: createFinds(dependencies),
  };
}
