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
import { openAddress } from '../mail-address.ts';
import type { MailingStore } from '../mailing-store.ts';
import { renderTicketMail } from '../pdf/ticket-mail.ts';
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
/** An erasure has destroyed the order's key. */
const ERASED: Attempt = { kind: 'REFUSED', code: 'ERASED' };

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
    const { sheets, pdfs } = this.#options;
    const texts = await sheets.make(shown, reader.language ?? (await sheets.languageOf(first.group)));
    const attachments = await Promise.all(shown.map((each) => this.#attach(each, pdfs)));
    const found = attachments.filter((each) => each !== undefined);
    if (texts.length < shown.length || found.length < shown.length) return { instead: ERASED };
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

  /** A PDF that is missing is drawn again. */
  async #attach(shown: ShownTicket, pdfs: Pick<TicketPdfs, 'read' | 'store'>) {
    let content = await pdfs.read(shown);
    if (!content) {
      await pdfs.store([shown]);
      content = await pdfs.read(shown);
    }
    const filename = `${shown.group.orderId}-${shown.ticket.id}.pdf`;
    return content && { filename, contentType: 'application/pdf', content };
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
