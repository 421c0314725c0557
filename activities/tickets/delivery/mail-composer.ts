/**
 * Makes a mail with tickets: to whom it goes, what it says, and the PDFs. Reads personal data, and passes it to the mail server
 * alone. Caller: mail-sender.ts.
 */
import type { OutgoingMail } from '../../../platform/mail/mailer.ts';
import type { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import type { TicketDistributionId } from '../../../workflows/shared/ids.ts';
import type { TextLanguage } from '../../../workflows/shared/text.ts';
import type { Attempt } from '../../../workflows/tickets/rules/mailing-steps.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { Mailing, TicketMail } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { isLive } from '../../../workflows/tickets/rules/ticket-states.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import { isPdfIn } from '../../shared/pdf/tagged-pdf.ts';
import { openAddress } from '../mail-address.ts';
import type { MailingStore } from '../mailing-store.ts';
import { renderTicketMail } from '../pdf/ticket-mail.ts';
import { renderTickets } from '../pdf/ticket-pdf.ts';
import type { TicketSheet } from '../pdf/ticket-sheet.ts';
import type { TicketPdfs } from '../ticket-pdfs.ts';
import type { ShownTicket, TicketSheets } from '../ticket-sheets.ts';

export interface MailComposerOptions {
  readonly keys: SubjectKeys;
  readonly customers: Pick<CustomerReader, 'listReachable'>;
  readonly mailings: Pick<MailingStore, 'findAddress'>;
  readonly sheets: Pick<TicketSheets, 'make' | 'languageOf'>;
  readonly pdfs: Pick<TicketPdfs, 'read' | 'store'>;
}

interface Reader {
  readonly to: string;
  readonly language?: TextLanguage;
}

const NO_ADDRESS: Attempt = { kind: 'REFUSED', code: 'NO_ADDRESS' };
/** An erasure of somebody whom the order names has destroyed its key: the tickets of the others are signed anew. */
export const ERASED: Attempt = { kind: 'UNKNOWN', code: 'ERASED' };

export class MailComposer {
  readonly #options: MailComposerOptions;

  constructor(options: MailComposerOptions) {
    this.#options = options;
  }

  /** Or why there is nothing to send. `groups`: those of the order, as they are now. */
  async compose(
    mailing: Mailing,
    mail: TicketMail,
    groups: readonly TicketGroup[],
  ): Promise<OutgoingMail | { readonly instead: Attempt }> {
    const shown = shownIn(mail, groups);
    const [first] = shown;
    if (!first) return { instead: { kind: 'DROPPED' } };
    const reader = await this.#readerOf(mailing, mail);
    if (!reader) return { instead: NO_ADDRESS };
    const { sheets } = this.#options;
    const texts = await sheets.make(shown, reader.language ?? (await sheets.languageOf(first.group)));
    if (texts.length < shown.length) return { instead: ERASED };
    const attachments = await Promise.all(shown.map((each, at) => this.#attach(each, texts[at] as TicketSheet)));
    const found = attachments.filter((each) => each !== undefined);
    if (found.length < shown.length) return { instead: ERASED };
    return { messageId: mail.messageId, to: reader.to, ...renderTicketMail(texts), attachments: found };
  }

  async #readerOf(mailing: Mailing, { recipient }: TicketMail): Promise<Reader | undefined> {
    const { mailings, keys, customers } = this.#options;
    const { organisationId, id } = mailing;
    if (recipient === 'GIVEN') {
      const address = await mailings.findAddress(organisationId, id);
      const to = address && (await openAddress(keys, mailing, address));
      return to === undefined ? undefined : { to };
    }
    const customer = (await customers.listReachable(organisationId, [recipient])).get(recipient);
    return customer?.email === undefined ? undefined : { to: customer.email, language: customer.language };
  }

  /** In the language of the mail. A PDF that is missing is stored first. */
  async #attach(shown: ShownTicket, sheet: TicketSheet) {
    const stored = await this.#stored(shown);
    if (!stored) return undefined;
    const content = isPdfIn(sheet.language, stored) ? stored : await renderTickets([sheet]);
    const filename = `${shown.group.orderId}-${shown.ticket.id}.pdf`;
    return { filename, contentType: 'application/pdf', content };
  }

  async #stored(shown: ShownTicket): Promise<Uint8Array | undefined> {
    const { pdfs } = this.#options;
    const found = await pdfs.read(shown);
    if (found) return found;
    await pdfs.store([shown]);
    return await pdfs.read(shown);
  }
}

/** Tickets of the mail that are not valid any more. */
export function omittedFrom(mail: TicketMail, groups: readonly TicketGroup[]): readonly TicketDistributionId[] {
  const shown = new Set(shownIn(mail, groups).map(({ ticket }) => ticket.id));
  return mail.tickets.flatMap(({ ticketId }) => (shown.has(ticketId) ? [] : [ticketId]));
}

function shownIn({ tickets }: TicketMail, groups: readonly TicketGroup[]): readonly ShownTicket[] {
  return tickets.flatMap(({ groupId, ticketId }) => {
    const group = groups.find(({ id }) => id === groupId);
    const ticket = group?.ticketDistributions.find(({ id }) => id === ticketId);
    return group && ticket && isLive(ticket) ? [{ group, ticket }] : [];
  });
}
