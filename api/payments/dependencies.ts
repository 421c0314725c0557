/** What the operations of payments are made of. */
import type { CaptureCalls } from '../../activities/payments/capture-calls.ts';
import type { CreatingDependencies } from '../../activities/payments/creating.ts';
import type { CreditResolving } from '../../activities/payments/credit-resolving.ts';
import type { CreditSearch } from '../../activities/payments/credit-search.ts';
import type { CreditStore } from '../../activities/payments/credit-store.ts';
import type { InvoiceStore } from '../../activities/payments/invoice-store.ts';
import type { NeedlessTransactions } from '../../activities/payments/needless-transactions.ts';
import type { OrderNotes } from '../../activities/payments/order-notes.ts';
import type { PaymentSearch } from '../../activities/payments/payment-search.ts';
import type { PaymentStore } from '../../activities/payments/payment-store.ts';
import type { OrderMoneyAccess, OrderPenaltyAccess } from '../../activities/shared/orders.ts';
import type { Logger } from '../../platform/log.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { ProviderCallbackDependencies } from './provider-callbacks.ts';

export interface PaymentsDependencies extends Pick<CreatingDependencies, 'orders' | 'customers' | 'usesProvider'> {
  readonly payments: PaymentStore;
  readonly search: PaymentSearch;
  readonly credits: CreditStore;
  readonly creditSearch: CreditSearch;
  readonly creditResolving: CreditResolving;
  readonly notes: OrderNotes;
  readonly needless: Pick<NeedlessTransactions, 'tryToWake'>;
  readonly invoices: InvoiceStore;
  readonly orderMoney: OrderMoneyAccess;
  readonly penalties: OrderPenaltyAccess;
  readonly calls: CaptureCalls;
  readonly callbacks: ProviderCallbackDependencies;
  readonly keys: SubjectKeys;
  /** In development: addresses may be plain HTTP, and of this machine. */
  readonly openAddresses: boolean;
  readonly log: Logger;
  readonly now: () => Date;
}
