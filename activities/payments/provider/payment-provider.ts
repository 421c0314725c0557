/**
 * The port to payment providers. Adapters beside it: `simulator`, `stripe`, and `book` for money that is handled
 * elsewhere. Callers: the activities of payments.
 *
 * Every call that has an effect takes a key. The same key never moves money twice, so a call may be repeated until its
 * outcome is known. A provider that does not answer throws ProviderUnknown: nothing is known, and the caller asks
 * `outcomeOf` with the same key. Card numbers never pass here: terminals are the provider's pages.
 */
import type { PaymentId, TransactionId } from '../../../workflows/shared/ids.ts';

export interface SessionRequest {
  readonly key: string;
  /** `<paymentId>/<transactionId>`: finds the transaction again in the provider's books. */
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** `VISA`, `VIPPS`, … that the customer may use. */
  readonly methods: readonly string[];
  readonly returnUrl: string;
  /** Ours, where the provider reports: `/v1/provider-callbacks/{provider}`. */
  readonly callbackUrl: string;
  /** ISO 639-3 */
  readonly language: string;
  /** Alpha-2. */
  readonly countryCode?: string;
  /** An app on the customer's phone in place of a page. */
  readonly app?: { readonly phoneNumber: string; readonly description: string };
  /** An earlier capture was soft-declined: the customer must pass a challenge of the issuer. */
  readonly challenge?: boolean;
}

export interface OpenedSession {
  readonly sessionId: string;
  readonly terminalUri: string;
}

export interface SessionState {
  readonly status: 'OPEN' | 'AUTHORISED' | 'REFUSED' | 'CANCELLED' | 'EXPIRED';
  readonly authorisationId?: string;
  readonly last4?: string;
  /** As `VISA`. */
  readonly brand?: string;
  /** The customer has passed the challenge that a soft decline asks for. */
  readonly challengeDone: boolean;
  /** Minor units, by the provider's books. */
  readonly amountMinor: number;
  readonly currency: string;
}

/** PENDING: the provider will know later. NEVER_SEEN: it has no such key, so nothing has happened under it. */
export interface MoneyOutcome {
  readonly outcome: 'DONE' | 'SOFT_DECLINE' | 'REFUSED' | 'PENDING' | 'NEVER_SEEN';
  readonly rrn?: string;
  /** With SOFT_DECLINE: the terminal is used up, so the challenge needs a new session. */
  readonly sessionEnded?: boolean;
}

export interface AuthorisedMoney {
  readonly key: string;
  readonly authorisationId: string;
  readonly amountMinor: number;
  readonly currency: string;
}

interface Disputed {
  readonly amountMinor: number;
  /** Absent: that of the sale. A dispute may be in another one. */
  readonly currency?: string;
}

/** Money that was moved comes back. The adapter has read it in the provider's books, not in the callback. */
export type ProviderTrouble =
  | (Disputed & { readonly kind: 'DISPUTED' })
  /** What was taken for a dispute is ours again. */
  | (Disputed & { readonly kind: 'DISPUTE_WON' })
  /** `key` of the refund that the provider had accepted. */
  | { readonly kind: 'REFUND_FAILED'; readonly key: string };

/** A session that the provider reports about. Nothing else of a callback is used: state and amount are read again. */
export interface ProviderReport {
  /** The provider's id of the report: each is taken once. */
  readonly id: string;
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId;
  /** Absent: the state of the session may have changed. */
  readonly trouble?: ProviderTrouble;
}

export interface RawCallback {
  /** Exactly as received: signatures cover bytes. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** One movement of money in the provider's books. */
export interface ProviderMovement {
  /** `<paymentId>/<transactionId>`; empty when the provider's books name no transaction of ours. */
  readonly reference: string;
  readonly kind: 'CAPTURE' | 'REFUND' | 'DISPUTE';
  /** Negative when the movement takes an earlier one back: a refund that failed, a dispute that was won. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly key: string;
  readonly at: Date;
}

export interface PaymentProvider {
  /** As the catalogue names it in `provider`: `SIMULATOR`, `STRIPE`. */
  readonly name: string;
  /** Throws PSP_ERROR where the provider refuses it: nobody can pay under this key then. */
  openSession(request: SessionRequest): Promise<OpenedSession>;
  session(sessionId: string): Promise<SessionState>;
  /** Ends the session, so that it authorises nothing more. What it had authorised is voided by the caller. */
  cancelSession(sessionId: string, key: string): Promise<void>;
  capture(money: AuthorisedMoney): Promise<MoneyOutcome>;
  void(money: AuthorisedMoney): Promise<MoneyOutcome>;
  refund(money: AuthorisedMoney): Promise<MoneyOutcome>;
  /** What became of a call with this key. */
  outcomeOf(key: string, money: Omit<AuthorisedMoney, 'key'>): Promise<MoneyOutcome>;
  /** Undefined when the callback is not by the provider: wrong signature, or too old. */
  verifyCallback(callback: RawCallback): Promise<ProviderReport | 'IRRELEVANT' | undefined>;
  /** The provider's books of a time, for reconciliation. `from` counts, `until` does not. */
  movements(from: Date, until: Date): AsyncIterable<ProviderMovement>;
}

/** The provider has not answered, or not in time: the call may have had its effect. */
export class ProviderUnknown extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderUnknown';
  }
}
