/** Makes the receipt of a confirmation, and has it sent: one attempt. Caller: mail-sender.ts. */
import type { Logger } from '../../../platform/log.ts';
import { GIVEN_UP_AFTER_MS } from '../../../workflows/shared/mail-retries.ts';
import type { MailedReceipt, Mailing } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import type { DeliveredReceipts } from '../../shared/receipts.ts';

export interface ReceiptSenderOptions {
  readonly receipts: () => DeliveredReceipts;
  readonly log: Logger;
  readonly now: () => Date;
}

/** While it cannot be made: money is on its way back, or a server is away. */
const AGAIN_AFTER_MS = 60_000;

export class ReceiptSender {
  readonly #options: ReceiptSenderOptions;

  constructor(options: ReceiptSenderOptions) {
    this.#options = options;
  }

  /** Undefined: nothing is due. A failure here holds no ticket, and for 24 hours the workflow that waits for the receipt. */
  async tryToSend(mailing: Mailing, work: { readonly correlationId: string }): Promise<MailedReceipt | undefined> {
    const { receipt, orderId } = mailing;
    const { log, now } = this.#options;
    if (receipt?.state !== 'DUE' || (receipt.nextTryAt ?? now()) > now()) return undefined;
    try {
      return await this.#send(mailing, receipt, work);
    } catch (error) {
      const { nextTryAt: _next, firstTriedAt = now(), ...rest } = receipt;
      if (now().getTime() >= firstTriedAt.getTime() + GIVEN_UP_AFTER_MS) {
        log.error(
          { err: error, orderId },
          'a receipt could not be made for 24 hours: send it by POST /v1/receipts/send',
        );
        return { ...rest, firstTriedAt, state: 'FAILED' };
      }
      log.warn({ err: error, orderId }, 'a receipt could not be made; it is tried again');
      return { ...receipt, firstTriedAt, nextTryAt: new Date(now().getTime() + AGAIN_AFTER_MS) };
    }
  }

  async #send(
    { organisationId, orderId, orderVersion }: Mailing,
    { nextTryAt: _next, ...receipt }: MailedReceipt,
    work: { readonly correlationId: string },
  ): Promise<MailedReceipt> {
    const receipts = this.#options.receipts();
    const issued = await receipts.issue({ organisationId, orderId, orderVersion }, work);
    if (!issued) return { ...receipt, state: 'NONE' };
    const { reference, isAddressed } = issued;
    if (!receipt.isMailed) return { ...receipt, reference, state: 'ISSUED' };
    if (!isAddressed) return { ...receipt, reference, state: 'UNADDRESSED' };
    const progress = await receipts.send(organisationId, reference, work);
    if (progress.kind !== 'DUE') return { ...receipt, reference, state: progress.kind };
    return { ...receipt, reference, state: 'DUE', nextTryAt: progress.nextTryAt };
  }
}
