/**
 * A session as the simulator keeps it: what a customer was asked to pay, what the card has authorised, every call under
 * its key, and every report. Types only. All of it is one document, so that each change is one write.
 */
import type { CardBehaviour } from './cards.ts';

export type SessionStatus = 'OPEN' | 'AUTHORISED' | 'REFUSED' | 'CANCELLED' | 'EXPIRED';
export type OperationCall = 'session' | 'cancel' | 'capture' | 'void' | 'refund' | 'dispute';
export type Outcome =
  | 'OPENED'
  | 'CAPTURED'
  | 'SOFT_DECLINE'
  | 'REFUSED'
  | 'PENDING'
  | 'VOIDED'
  | 'REFUNDED'
  | 'DISPUTED'
  | 'DISPUTE_WON'
  | SessionStatus;

/** A call with an effect. Its key is unique in the whole simulator. */
export interface Operation {
  readonly key: string;
  readonly call: OperationCall;
  /** Hash of path and body: the same key with another body is refused. */
  readonly fingerprint: string;
  readonly outcome: Outcome;
  readonly amountMinor?: number;
  readonly rrn?: string;
  readonly at: Date;
  /** Of a PENDING one: CAPTURED from then on. */
  readonly settlesAt?: Date;
  /** Of a refund that failed after it was accepted. */
  readonly failedAt?: Date;
  /** Of a dispute: the merchant has its money back. */
  readonly wonAt?: Date;
}

export type ReportType =
  | 'SESSION_AUTHORISED'
  | 'SESSION_REFUSED'
  | 'SESSION_CANCELLED'
  | 'SESSION_EXPIRED'
  | 'CHALLENGE_PASSED'
  | 'CAPTURED'
  | 'VOIDED'
  | 'REFUNDED'
  | 'DISPUTED'
  | 'DISPUTE_WON'
  | 'REFUND_FAILED';

/** One delivery of a report to the callback address. A report that is sent twice has two, with the same id. */
export interface Delivery {
  readonly id: string;
  readonly type: ReportType;
  /** Of the operation that it tells of. */
  readonly key?: string;
  readonly at: Date;
  readonly dueAt: Date;
  readonly attempts: number;
  readonly endedAt?: Date;
}

export interface SessionOrder {
  readonly reference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly returnUrl: string;
  readonly callbackUrl: string;
  /** ISO 639-3 */
  readonly language: string;
  /** The issuer is to challenge the customer at once, not only after a soft decline. */
  readonly challengeFirst?: boolean;
  /** Approved in an app on the customer's phone. The number itself is not kept. */
  readonly app?: { readonly phoneEnd: string; readonly description: string };
}

export interface Session extends SessionOrder {
  readonly _id: string;
  readonly revision: number;
  /** The secret part of the terminal's address. */
  readonly terminal: string;
  readonly status: SessionStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly behaviour?: CardBehaviour;
  readonly last4?: string;
  readonly brand?: string;
  readonly authorisationId?: string;
  /** WANTED: the issuer has asked for it by a soft decline. */
  readonly challenge: 'NONE' | 'WANTED' | 'PASSED';
  readonly operations: readonly Operation[];
  readonly deliveries: readonly Delivery[];
}

/** Pure. Answers the session itself when nothing changes. */
export type Step = (session: Session, now: Date) => Session;
