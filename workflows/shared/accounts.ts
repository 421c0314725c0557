/**
 * The chart of accounts: every account that the ledger of an organisation has, and what its debits and credits mean. Pure.
 *
 * | Account | Debit | Credit |
 * |---|---|---|
 * | `receivables` | a version of an order was sold: the customer owes it | the customer has paid |
 * | `sales/<organisation>` | a sale was taken back | tickets were sold, without tax; by who carries the traveller |
 * | `fees/<type>` | a fee was taken back, or a reduction was given | a fee was sold, without tax |
 * | `vat/<code>` | tax of what was taken back | tax of what was sold |
 * | `clearing/<provider>` | a provider has captured: it owes us the money | it has paid money back, or taken it for a dispute |
 * | `book/<group>` | money was entered that others have taken: invoice, cash, import | such money was paid back |
 * | `disputes` | a provider has taken back money of a sale: claimed from the customer | the dispute was won: the provider has given it back |
 * | `failed-credits` | the customer was paid in another way | a credit failed after it was executed: it is owed to the customer |
 * | `other-payouts` | – | an operator has paid the customer in another way than by a provider, as to a bank account |
 * | `overpaid-credits` | a provider has paid what was paid in another way, or given up: claimed from the customer | – |
 *
 * There is no account for rounding: parts of an amount always add up to it.
 */
import type { OrganisationId } from './ids.ts';

export const RECEIVABLES = 'receivables';
export const DISPUTES = 'disputes';
export const FAILED_CREDITS = 'failed-credits';
export const OTHER_PAYOUTS = 'other-payouts';
export const OVERPAID_CREDITS = 'overpaid-credits';

export function salesAccount(organisation: OrganisationId): string {
  return `sales/${organisation}`;
}

export function feeAccount(type: string): string {
  return `fees/${type}`;
}

/** Prices that callers have written may have a tax without a code. */
export function vatAccount(taxCode: string | undefined): string {
  return `vat/${taxCode ?? 'UNCODED'}`;
}

export function clearingAccount(provider: string): string {
  return `clearing/${provider}`;
}

export function bookAccount(paymentTypeGroup: string): string {
  return `book/${paymentTypeGroup}`;
}
