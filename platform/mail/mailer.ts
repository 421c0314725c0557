/** Sends one mail by SMTP. Types; the transport is in smtp-mailer.ts. Callers: activities that send tickets and receipts. */

export interface OutgoingMail {
  /** The same in every attempt to send this mail, so that mailboxes drop a second copy. `<…@host>` is added. */
  readonly messageId: string;
  readonly to: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/**
 * SENT: the server has taken it. REFUSED: it never will, as for an unknown address; `code` is that of SMTP (`550`, `5.1.1`).
 * UNKNOWN: the server failed, hung, or broke off; the mail may have been taken.
 */
export type MailOutcome =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'REFUSED'; readonly code: string }
  | { readonly kind: 'UNKNOWN'; readonly code: string };

export interface Mailer {
  /** Never throws, and never logs an address. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  close(): Promise<void>;
}
