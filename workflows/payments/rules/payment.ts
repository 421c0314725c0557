/**
 * A payment of an order and its transactions, as the rules of this folder see them. Types only. Amounts are in the
 * smallest unit of the payment's currency.
 */
import type {
  CreditId,
  CustomerNumber,
  DistributionChannelId,
  OrderId,
  OrganisationId,
  PaymentId,
  PaymentPageId,
  SettlementId,
  TransactionId,
} from '../../shared/ids.ts';

/**
 * CREATED: no terminal was opened. INITIATED: the customer may authorise. CAPTURED: the money is ours, in part credited
 * perhaps. CREDITED: all of it was paid back. REJECTED, CANCELLED and CREDITED are final. DISPUTED: the provider took it
 * back. CREDIT_FAILED: a credit that the provider had accepted failed later.
 */
export type TransactionStatus =
  | 'CREATED'
  | 'INITIATED'
  | 'CAPTURED'
  | 'CREDITED'
  | 'REJECTED'
  | 'CANCELLED'
  | 'DISPUTED'
  | 'CREDIT_FAILED';

/** Derived, never stored. */
export type PaymentStatus = 'OPEN' | 'PAID' | 'PARTLY_CREDITED' | 'CREDITED' | 'INACTIVE';

export type Operation = 'CREATE' | 'INITIATE' | 'AUTHENTICATE' | 'CAPTURE' | 'CANCEL' | 'REJECT' | 'CREDIT' | 'IMPORT';

export interface LoggedOperation {
  readonly operation: Operation;
  readonly at: Date;
}

/** What an app on the customer's phone needs, sealed with the order's own key. Rules pass it on and never read it. */
export interface SealedApp {
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

/** An address that a caller has given: it may name a person. Rules pass it on and never read it. */
export interface SealedAddress {
  readonly keyId: string;
  readonly sealed: Uint8Array;
  /** Whose key has sealed it, and whose erasure takes it. Absent: the order's own key, as long as the order has lost nobody. */
  readonly customerNumber?: CustomerNumber;
}

/** Earlier builds have stored addresses in clear. */
export type GivenAddress = SealedAddress | string;

/** Where the customer authorises. A new one begins after the provider has ended the earlier. */
export interface TerminalSession {
  /** From 1 in each transaction. */
  readonly number: number;
  /** `auth-<transactionId>-<number>`: the same in every repeat of the call that opens it. */
  readonly key: string;
  /** TERMINAL: a page of the provider. APP_CLAIM: an app on the customer's phone. */
  readonly kind: 'TERMINAL' | 'APP_CLAIM';
  /** Where the customer comes back, until the provider has answered: it may name the customer. */
  readonly redirectUrl?: GivenAddress;
  /** In its place, of a payment page: the key of its link, which is a secret and is computed for the provider alone. */
  readonly pageKeyId?: string;
  /** Told of the final status; gone with an erasure. */
  readonly callbackUrl?: GivenAddress;
  /** ISO 639-3 */
  readonly language?: string;
  /** Alpha-2. */
  readonly countryCode?: string;
  /** Of an APP_CLAIM, until the provider has answered. */
  readonly app?: SealedApp;
  readonly openedAt: Date;
  /**
   * Both by the provider; absent until it has answered. The address is a secret: never logged, never in a workflow, and gone when the
   * transaction has ended.
   */
  readonly sessionId?: string;
  readonly terminalUri?: string;
  /** The provider has ended it without an authorisation. */
  readonly endedAt?: Date;
}

/**
 * A call of the provider, written before it is made. Its key stays until the outcome is known, so a repeat never takes money
 * twice. VOID: the session ends, and what it has authorised is given back.
 */
export interface ProviderIntent {
  readonly kind: 'CAPTURE' | 'VOID';
  /** `cap-<transactionId>-<round>`, `void-<transactionId>` */
  readonly key: string;
  readonly since: Date;
}

/** Money of one transaction that is paid back. Reserved before the provider is asked. */
export interface TransactionCredit {
  readonly creditId: CreditId;
  readonly amountMinor: number;
  readonly status: 'CREATED' | 'CREDITED' | 'FAILED';
  /** `cr-<creditId>-<transactionId>` */
  readonly key: string;
  readonly settlementId?: SettlementId;
  readonly rrn?: string;
  readonly at: Date;
  /** An operator has paid it in another way: no provider has. */
  readonly elsewhere?: true;
  /** A provider has paid it beside what has counted: the money was paid twice. */
  readonly paidTwiceAt?: Date;
  /** The provider has reported later that it failed. The sums of the payment stay: the money is owed in another way. */
  readonly failedAt?: Date;
  /** An operator has paid in another way what has failed. */
  readonly settledAt?: Date;
}

export interface ForeignAmount {
  readonly amountMinor: number;
  readonly currency: string;
}

export interface Transaction {
  readonly id: TransactionId;
  readonly amountMinor: number;
  readonly status: TransactionStatus;
  readonly paymentTypeGroup: string;
  readonly paymentType: string;
  /** Name of the adapter that moves the money, or `BOOK`. */
  readonly provider: string;
  readonly isImport: boolean;
  /** Captures as soon as it is authorised: payment pages, and methods of the group MOBILE. */
  readonly capturesItself: boolean;
  /** Of the page that began it. */
  readonly paymentPageId?: PaymentPageId;
  /** Last four digits of the card. */
  readonly last4?: string;
  /** Reference of the payment network. */
  readonly rrn?: string;
  readonly externalTransactionId?: string;
  readonly settlementId?: SettlementId;
  readonly session?: TerminalSession;
  readonly authorisationId?: string;
  /** Rises after a definite soft decline, never after a timeout. From 1. */
  readonly round: number;
  /** A capture was soft-declined: the customer has yet to pass a challenge at the terminal. */
  readonly needsChallenge?: true;
  readonly intent?: ProviderIntent;
  readonly credits: readonly TransactionCredit[];
  readonly createdAt: Date;
  readonly capturedAt?: Date;
  /** Of a dispute in another currency than the payment: the ledger has no entry of it. */
  readonly foreignDispute?: ForeignAmount;
  /** The provider has given back what it took for the last dispute. */
  readonly disputeWonAt?: Date;
  /** Last step of the customer or the caller: 30 minutes after it an open transaction is cancelled. */
  readonly activeAt: Date;
  readonly operations: readonly LoggedOperation[];
}

export interface Payment {
  readonly id: PaymentId;
  readonly organisationId: OrganisationId;
  readonly distributionChannelId: DistributionChannelId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
  readonly totalMinor: number;
  readonly currency: string;
  /** Inactive payments take no further transactions. */
  readonly active: boolean;
  readonly customerNumber?: CustomerNumber;
  /** Its money was imported with the order, which has counted and entered it. */
  readonly cameWithOrder?: true;
  readonly transactions: readonly Transaction[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
