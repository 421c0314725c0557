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
   * The receipt of this version, with its number. The same for every repeat. Undefined where the version has neither payment
   * nor credit. Throws UNAVAILABLE while money of it is on its way back.
   */
  issue(version: OrderVersionRef, work: ReceiptWork): Promise<IssuedReceipt | undefined>;
  /**
   * One attempt to send it to the order's contact, as long as it is due. Repeatable: a mail that is sent is not sent again. Takes
   * a minute at most.
   */
  send(organisationId: OrganisationId, reference: ReceiptReference, work: ReceiptWork): Promise<MailProgress>;
}

export interface IssuedReceipt {
  readonly reference: ReceiptReference;
  /** False: the contact has no address, so there is nothing to send. */
  readonly isAddressed: boolean;
}

/** DUE: try again at `nextTryAt`. */
export type MailProgress =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'FAILED' }
  | { readonly kind: 'DUE'; readonly nextTryAt: Date };

export const RECEIPTS = interfaceKey<DeliveredReceipts>('receipts');
