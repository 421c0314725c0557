/**
 * Sends the mails of a workflow that are due, one attempt each. What is to be sent was written down before, with its Message-ID; the
 * outcome is written after. A crash between the two repeats the mail under the same id. Caller: the activities.
 */
import type { Logger } from '../../../platform/log.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { MailActivities, SendInput, SendStep } from '../../../workflows/tickets/activities.ts';
import {
  type Attempt,
  afterAttempts,
  dueAt,
  outcomeOf,
  type SentMail,
  sendStepOf,
} from '../../../workflows/tickets/rules/mailing-steps.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { MailedReceipt, Mailing, TicketMail } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import type { MailingStore } from '../mailing-store.ts';
import { sendRestored } from '../restored-mailing.ts';
import type { TicketIssuer } from '../ticket-issuer.ts';
import type { TicketStore } from '../ticket-store.ts';
import type { StoredGroup, TicketWork } from '../ticket-types.ts';
import { DOCUMENTS_WORKER } from './documents.ts';
import type { LateDelivery } from './late-delivery.ts';
import { ERASED, type MailComposer, omittedFrom } from './mail-composer.ts';
import type { ReceiptSender } from './receipt-sender.ts';

export interface MailSenderOptions {
  readonly mailings: Pick<MailingStore, 'listOfWorkflow' | 'change' | 'create' | 'now'>;
  readonly tickets: Pick<TicketStore, 'listOfOrder' | 'noteMailing'>;
  readonly composer: Pick<MailComposer, 'compose'>;
  readonly receipts: Pick<ReceiptSender, 'tryToSend'>;
  readonly issuer: Pick<TicketIssuer, 'sign'>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly late: Pick<LateDelivery, 'tell'>;
  readonly log: Logger;
  /** Called for each attempt at a mail with tickets. */
  readonly onAttempt?: (kind: Attempt['kind']) => void;
}

/** Mails of a mailing in one step; the workflow asks again at once for the rest. A server that hangs holds as many. */
const AT_ONCE = 5;

export class MailSender implements MailActivities {
  readonly #options: MailSenderOptions;

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  /** Ends between two mailings once the signal aborts: another worker sends the rest. */
  async sendDue(
    { organisationId, orderId, workflow, correlationId }: SendInput,
    signal?: AbortSignal,
  ): Promise<SendStep> {
    const { mailings, late } = this.#options;
    const work = { correlationId, clientId: DOCUMENTS_WORKER };
    const after: Mailing[] = [];
    for (const each of await mailings.listOfWorkflow(organisationId, workflow)) {
      if (dueAt(each)) signal?.throwIfAborted();
      after.push(dueAt(each) ? await this.#send(each, work) : each);
    }
    const step = sendStepOf(after);
    const { paymentPageId: pageId, nextTryAtMs } = step;
    // Also after a crash, when nothing was due any more.
    if (pageId !== undefined && nextTryAtMs === undefined) await late.tell({ organisationId, orderId }, pageId);
    return step;
  }

  async #send(mailing: Mailing, work: TicketWork): Promise<Mailing> {
    const { mailings, receipts, tickets } = this.#options;
    const { organisationId, orderId } = mailing;
    // Those before it may have taken minutes: what was disabled meanwhile is not sent.
    const groups = (await tickets.listOfOrder(organisationId, orderId)).map(({ group }) => group);
    const due = mailing.mails.filter((mail) => isDue(mail, mailings.now())).slice(0, AT_ONCE);
    const [tried, receipt] = await Promise.all([
      Promise.allSettled(due.map((mail) => this.#attempt(mailing, mail, groups, work))),
      receipts.tryToSend(mailing, work),
    ]);
    const sent = tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const after = await this.#write(mailing, { sent, receipt }, work);
    // The outcomes of the others are written down: only this mail is made again.
    for (const each of tried) if (each.status === 'rejected') throw each.reason;
    return after;
  }

  async #attempt(
    mailing: Mailing,
    mail: TicketMail,
    groups: readonly TicketGroup[],
    work: TicketWork,
  ): Promise<SentMail> {
    const { composer, mailer, onAttempt } = this.#options;
    let shown = groups;
    let composed = await composer.compose(mailing, mail, shown);
    if ('instead' in composed && composed.instead === ERASED) {
      shown = await this.#signAnew(mail, groups, work);
      composed = await composer.compose(mailing, mail, shown);
    }
    const attempt = 'instead' in composed ? composed.instead : await mailer.send(composed);
    onAttempt?.(attempt.kind);
    return { messageId: mail.messageId, attempt, omitted: omittedFrom(mail, shown) };
  }

  /** Without the names of those who were erased. What cannot be signed now is tried again with the mail. */
  async #signAnew(
    { tickets }: TicketMail,
    groups: readonly TicketGroup[],
    work: TicketWork,
  ): Promise<readonly TicketGroup[]> {
    const { issuer, log } = this.#options;
    const named = groups.filter(({ id }) => tickets.some(({ groupId }) => groupId === id));
    const signed: TicketGroup[] = [];
    for (const { id, organisationId, orderId } of named) {
      try {
        signed.push((await issuer.sign(organisationId, id, work)).group);
      } catch (err) {
        log.warn({ err, orderId }, 'tickets that an erasure has left without barcodes could not be signed');
      }
    }
    return groups.map((group) => signed.find(({ id }) => id === group.id) ?? group);
  }

  /** The tickets first: what a crash leaves between the two writes is due again, and counts once. */
  async #write(mailing: Mailing, { sent, receipt }: Outcomes, work: TicketWork): Promise<Mailing> {
    if (sent.length === 0 && !receipt) return mailing;
    const { mailings } = this.#options;
    const after = afterAttempts(mailing, sent, receipt, mailings.now());
    const dropped: Dropped[] = [];
    for (const { messageId } of sent) {
      const mail = after.mails.find((each) => each.messageId === messageId);
      if (mail) dropped.push(...(await this.#note(after, mail, work)));
    }
    // A refund may have failed while the mail was on its way: then its tickets are valid again. After a crash here the mail is due.
    for (const { cause, stored } of dropped) await sendRestored(mailings, stored, { cause, ...work });
    const { organisationId, id } = mailing;
    return await mailings.change(organisationId, id, (before, now) => afterAttempts(before, sent, receipt, now));
  }

  /** All tickets that a mail has shown have its outcome, unless another mail may bring some of them. Answers those that it dropped. */
  async #note(after: Mailing, mail: TicketMail, work: TicketWork): Promise<readonly Dropped[]> {
    const dropped: Dropped[] = [];
    const at = this.#options.mailings.now();
    const { messageId, attempts } = mail;
    const byPlace = Map.groupBy(mail.tickets, ({ groupId, ticketId }) => {
      const outcome = outcomeOf(after, mail, ticketId);
      return outcome && `${groupId}/${outcome.kind}/${'code' in outcome ? (outcome.code ?? '') : ''}`;
    });
    for (const [place, noted] of byPlace) {
      const [first] = noted;
      const outcome = first && outcomeOf(after, mail, first.ticketId);
      if (!outcome) continue;
      const note = {
        ticketIds: noted.map(({ ticketId }) => ticketId),
        outcome: outcome.kind === 'DISTRIBUTED' ? { ...outcome, at } : outcome,
      };
      const once = { ...work, workId: `${after.id}/${messageId}/${attempts}/${place}` };
      const stored = await this.#options.tickets.noteMailing(after.organisationId, first.groupId, note, once);
      if (outcome.kind === 'DROPPED') dropped.push({ cause: messageId, stored });
    }
    return dropped;
  }
}

interface Dropped {
  /** The mail. */
  readonly cause: string;
  readonly stored: StoredGroup;
}

interface Outcomes {
  readonly sent: readonly SentMail[];
  readonly receipt: MailedReceipt | undefined;
}

function isDue({ state, nextTryAt }: TicketMail, now: Date): boolean {
  return state === 'DUE' && nextTryAt !== undefined && nextTryAt <= now;
}
