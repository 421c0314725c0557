/** How a receipt is shown to people. Types; the drawing is in `pdf/`. */
import type { Receipt } from '../../workflows/receipts/rules/receipt.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { RenderedMail } from '../shared/pdf/rendered-mail.ts';

export interface ShownReceipt {
  /** It is marked as a copy. */
  readonly copy: boolean;
  readonly language: TextLanguage;
  /** IANA name. */
  readonly timeZone: string;
}

export interface ReceiptRenderer {
  /** The same bytes for the same receipt. */
  pdf(receipt: Receipt, shown: ShownReceipt): Promise<Uint8Array>;
  mail(receipt: Receipt, shown: ShownReceipt): RenderedMail | Promise<RenderedMail>;
}
