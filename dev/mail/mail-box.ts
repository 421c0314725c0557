/**
 * The mails of the development in-box, the newest few: each in a file as it came, with one header more for its
 * recipients, and parsed.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface Mail extends Email {
  /** Begins with the time at which the mail came. Also the name of its file. */
  readonly id: string;
}

/** The recipients that the SMTP client named, blind copies included. */
const RECIPIENTS = 'X-Envelope-To';

export class MailBox {
  readonly #folder: string;
  readonly #limit: number;
  /** Oldest first. */
  #mails: Mail[] = [];
  /** Being written: Message-ID and recipient of each. */
  readonly #arriving = new Set<string>();

  private constructor(folder: string, limit: number) {
    this.#folder = folder;
    this.#limit = limit;
  }

  static async open(folder: string, limit = 200): Promise<MailBox> {
    mkdirSync(folder, { recursive: true });
    const box = new MailBox(folder, limit);
    const ids = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    for (const id of ids.sort()) box.#mails.push(await parse(id, readFileSync(join(folder, id))));
    return box;
  }

  /** Newest first; `to` narrows to one recipient. */
  list(to?: string): readonly Mail[] {
    return this.#mails.filter((mail) => !to || recipientsOf(mail).includes(to.toLowerCase())).reverse();
  }

  pathOf({ id }: Mail): string {
    return join(this.#folder, id);
  }

  /**
   * Returns when the mail is on disk, so that the SMTP client may forget it. As mailboxes do, it keeps one copy of a
   * Message-ID for each recipient.
   */
  async add(raw: Buffer, to: readonly string[]): Promise<void> {
    const { messageId } = await PostalMime.parse(raw);
    const fresh = [...new Set(to.map((each) => each.toLowerCase()))].filter((each) => !this.#has(messageId, each));
    if (fresh.length === 0) return;
    const copies = fresh.map((each) => copyOf(messageId, each));
    for (const copy of copies) this.#arriving.add(copy);
    try {
      await this.#keep(Buffer.concat([Buffer.from(`${RECIPIENTS}: ${fresh.join(' ')}\r\n`), raw]));
    } finally {
      for (const copy of copies) this.#arriving.delete(copy);
    }
  }

  #has(messageId: string | undefined, recipient: string): boolean {
    if (!messageId) return false;
    return (
      this.#arriving.has(copyOf(messageId, recipient)) ||
      this.#mails.some((mail) => mail.messageId === messageId && recipientsOf(mail).includes(recipient))
    );
  }

  async #keep(text: Buffer): Promise<void> {
    const mail = await parse(`${Date.now()}-${randomUUID()}.eml`, text);
    await writeFile(this.pathOf(mail), text);
    this.#mails.push(mail);
    const old = this.#mails.splice(0, Math.max(0, this.#mails.length - this.#limit));
    await Promise.all(old.map((each) => rm(this.pathOf(each), { force: true })));
  }
}

function copyOf(messageId: string | undefined, recipient: string): string {
  return `${messageId} ${recipient}`;
}

async function parse(id: string, raw: Buffer): Promise<Mail> {
  return { id, ...(await PostalMime.parse(raw)) };
}

export function recipientsOf({ headers }: Mail): readonly string[] {
  return headers.find(({ key }) => key === RECIPIENTS.toLowerCase())?.value.split(' ') ?? [];
}
