/** What tickets ask of receipts. Provided by the receipts area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { OrderId, OrganisationId, ReceiptReference } from '../../workflows/shared/ids.ts';

export interface OrderVersionRef {
  readonly organisationId: OrganisationId;
  readonly orderId: OrderId;
  readonly orderVersion: number;
}

export interface ReceiptWork {
  readonly correlationId: string;
}

export interface DeliveredReceipts {
  /**
   * The receipt of this version, with its number and PDF, to be mailed to the order's contact. The same for every repeat.
   * Undefined where the version has neither payment nor credit.
   */
  issue(version: OrderVersionRef, work: ReceiptWork): Promise<IssuedReceipt | undefined>;
  /** One attempt to send what is due. Repeatable: a mail that is sent is not sent again. */
  send(organisationId: OrganisationId, reference: ReceiptReference, work: ReceiptWork): Promise<MailProgress>;
}

export interface IssuedReceipt {
  readonly reference: ReceiptReference;
  /** False: nobody has an address, so there is nothing to send. */
  readonly isAddressed: boolean;
}

/** DUE: try again at `nextTryAt`. */
export type MailProgress =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'FAILED' }
  | { readonly kind: 'DUE'; readonly nextTryAt: Date };

export const RECEIPTS = interfaceKey<DeliveredReceipts>('receipts');
