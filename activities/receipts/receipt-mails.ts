/**
 * Sends receipts: one attempt at a time, whose outcome is written down after it. An attempt that nobody has written down is
 * repeated under the same Message-ID, and mailboxes drop the second copy. Callers: the workflow's activity, the delivery of
 * orders by RECEIPTS.
 */
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { ReceiptStep } from '../../workflows/receipts/activities.ts';
import {
  CONTACT_MAILING,
  isDue,
  type Mailing,
  type MailResult,
  newMailing,
  nextMailAt,
} from '../../workflows/receipts/rules/mailing.ts';
import { serialNumber } from '../../workflows/receipts/rules/serial.ts';
import type { OrganisationId, ReceiptReference } from '../../workflows/shared/ids.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { MailProgress } from '../shared/receipts.ts';
import type { StoredReceipt } from './receipt-members.ts';
import type { ReceiptRenderer } from './receipt-renderer.ts';
import type { ReceiptStore } from './receipt-store.ts';
import { openAddress } from './sealed-address.ts';

/** Nobody can be written to: the profile is gone or has no address, or an erasure has destroyed the address that was given. */
export const NO_ADDRESS = 'NO_ADDRESS';

/** Mails of a receipt in one step; the workflow asks again at once for the rest. A server that hangs holds as many. */
const AT_ONCE = 5;

export interface ReceiptMailsOptions {
  readonly receipts: Pick<ReceiptStore, 'get' | 'noteResult' | 'now'>;
  readonly customers: () => Pick<CustomerReader, 'listReachable'>;
  readonly openKeys: () => Promise<SubjectKeys>;
  readonly openMailer: () => Promise<Pick<Mailer, 'send'>>;
  readonly renderer: ReceiptRenderer;
  readonly onResult?: (result: MailResult['kind']) => void;
}

export class ReceiptMails {
  readonly #options: ReceiptMailsOptions;

  constructor(options: ReceiptMailsOptions) {
    this.#options = options;
  }

  /** One attempt for the mail of the delivery, as long as it is due. Throws NOT_FOUND. */
  async sendToContact(organisationId: OrganisationId, reference: ReceiptReference): Promise<MailProgress> {
    const { receipts } = this.#options;
    const stored = await receipts.get(organisationId, reference);
    const now = receipts.now();
    const target = stored.contact === undefined ? {} : { customerNumber: stored.contact };
    const begun = stored.mailings.find(({ id }) => id === CONTACT_MAILING);
    const mailing = begun ?? newMailing(CONTACT_MAILING, target, now);
    if (!isDue(mailing, now)) return progressOf(mailing, now);
    const { mailings } = await this.#try(stored, mailing);
    return progressOf(mailings.find(({ id }) => id === CONTACT_MAILING) ?? mailing, now);
  }

  /** One attempt for some mails of callers that are due. Throws NOT_FOUND. */
  async sendDue(organisationId: OrganisationId, reference: ReceiptReference): Promise<ReceiptStep> {
    const { receipts } = this.#options;
    const stored = await receipts.get(organisationId, reference);
    const now = receipts.now();
    const due = stored.mailings
      .filter((mailing) => mailing.id !== CONTACT_MAILING && isDue(mailing, now))
      .slice(0, AT_ONCE);
    const tried = await Promise.allSettled(due.map(async (mailing) => await this.#try(stored, mailing)));
    // The outcomes of the others are written down: only this mail is made again.
    for (const each of tried) if (each.status === 'rejected') throw each.reason;
    const after = due.length > 0 ? await receipts.get(organisationId, reference) : stored;
    const next = nextMailAt(after.mailings);
    return { status: after.status, ...(next && { nextTryAtMs: next.getTime() }) };
  }

  async #try(stored: StoredReceipt, mailing: Mailing): Promise<StoredReceipt> {
    const result = await this.#send(stored, mailing);
    this.#options.onResult?.(result.kind);
    return await this.#options.receipts.noteResult(stored.receipt.reference, mailing, result);
  }

  async #send(stored: StoredReceipt, mailing: Mailing): Promise<MailResult> {
    const to = await this.#addressOf(stored, mailing);
    if (to === undefined) return { kind: 'REFUSED', code: NO_ADDRESS };
    const { receipt, copyOf, timeZone } = stored;
    const shown = { copy: copyOf !== undefined, language: mailing.language ?? receipt.language, timeZone };
    const [content, mail] = await Promise.all([
      this.#options.renderer.pdf(receipt, shown),
      this.#options.renderer.mail(receipt, shown),
    ]);
    const filename = `${shown.language === 'eng' ? 'Receipt' : 'Kvittering'}-${serialNumber(receipt)}.pdf`;
    const mailer = await this.#options.openMailer();
    return await mailer.send({
      ...{ ...mail, to, messageId: `${receipt.reference}.${mailing.id}` },
      attachments: [{ filename, contentType: 'application/pdf', content }],
    });
  }

  async #addressOf({ receipt }: StoredReceipt, { address, customerNumber }: Mailing): Promise<string | undefined> {
    if (address) return await openAddress(await this.#options.openKeys(), receipt, address);
    if (customerNumber === undefined) return undefined;
    const found = await this.#options.customers().listReachable(receipt.organisationId, [customerNumber]);
    return found.get(customerNumber)?.email;
  }
}

function progressOf({ status, nextTryAt }: Mailing, now: Date): MailProgress {
  return status === 'DUE' ? { kind: 'DUE', nextTryAt: nextTryAt ?? now } : { kind: status };
}
