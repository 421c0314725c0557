/** The last chapter: what the customer who has paid finds in the mailbox, and what the partner sees of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, read } from './partner-client.ts';
import { StoryError, say } from './story.ts';

/** It takes seconds; a slow machine has more. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 200;
const SUBJECTS = { tickets: /Billett|Ticket/, receipt: /Kvittering|Receipt/ } as const;

export interface SentOrder {
  readonly orderId: string;
  /** Of the order's contact. */
  readonly email: string;
}

interface Mail {
  readonly id: string;
  readonly subject: string;
  readonly attachments: readonly { readonly filename: string; readonly size: number }[];
}

interface Summary {
  readonly ticketDistributionId: number;
  readonly status: string;
  readonly endOfValidity: string;
  readonly productName: readonly { readonly value: string }[];
}

type Headers = Readonly<Record<string, string>>;

/** `mailUrl`: of the in-box; undefined where a mail server of the user's own takes the mails. */
export async function tellMails(
  caller: Caller,
  mailUrl: string | undefined,
  { orderId, email }: SentOrder,
  headers: Headers,
): Promise<void> {
  const tickets = await sentTickets(caller, orderId, headers);
  say('The tickets of the order', ...tickets.map(tellTicket));
  if (mailUrl === undefined) {
    say('Tickets and receipt are sent', `to ${email}, by the mail server of SMTP_URL`);
    return;
  }
  const mails = await receivedMails(mailUrl, email);
  say('Tickets and receipt are in the in-box', ...mails.map(tellMail), `to ${email}`, `look at them: ${mailUrl}`);
}

/** Waits until no ticket is on its way. */
async function sentTickets(caller: Caller, orderId: string, headers: Headers): Promise<readonly Summary[]> {
  const path = `/v1/ticket-distributions/${orderId}/summary`;
  const isSent = (tickets: readonly Summary[]) =>
    tickets.length > 0 && tickets.every(({ status }) => status === 'DISTRIBUTED');
  return await untilTrue(
    async () => await read<readonly Summary[]>(caller, path, headers),
    isSent,
    (tickets) => {
      const states = tickets.map(({ status }) => status).join(', ') || 'none';
      return `The tickets of ${orderId} are not sent: ${states}`;
    },
  );
}

/** One mail with tickets and one with the receipt. */
async function receivedMails(mailUrl: string, email: string): Promise<readonly Mail[]> {
  const address = `${mailUrl}/messages?to=${encodeURIComponent(email)}`;
  const list = async () => (await (await fetch(address)).json()) as readonly Mail[];
  const isComplete = (mails: readonly Mail[]) =>
    Object.values(SUBJECTS).every((subject) => mails.some((mail) => subject.test(mail.subject)));
  const mails = await untilTrue(list, isComplete, (found) => `Only ${found.length} of 2 mails are in ${address}`);
  if (mails.length === 2) return mails;
  throw new StoryError(`${mails.length} mails came instead of two: ${address}`, 'This is a defect.');
}

async function untilTrue<Seen>(
  look: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  describe: (seen: Seen) => string,
): Promise<Seen> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (isDone(seen)) return seen;
    if (Date.now() > until) throw new StoryError(describe(seen), 'See the workflow delivery.');
    await sleep(LOOK_MS);
  }
}

function tellTicket({ ticketDistributionId, status, endOfValidity, productName }: Summary): string {
  return `${ticketDistributionId} ${productName[0]?.value}, valid until ${endOfValidity}, ${status}`;
}

function tellMail({ subject, attachments }: Mail): string {
  const files = attachments.map(({ filename, size }) => `${filename} (${Math.ceil(size / 1_000)} kB)`);
  return `“${subject}” with ${files.join(', ') || 'nothing attached'}`;
}
