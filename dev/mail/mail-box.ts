/**
 * The mails of the development in-box: each as it came (`<id>.eml`) with a summary beside it (`<id>.json`), the newest few kept. Called by the
 * SMTP side and by the page. Never sends anything on.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address, type Email } from 'postal-mime';

export interface AttachmentSummary {
  readonly filename: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

export interface MessageSummary {
  readonly id: string;
  readonly receivedAt: string;
  /** As the SMTP client named them, which decides who would have got the mail. */
  readonly recipients: readonly string[];
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly attachments: readonly AttachmentSummary[];
}

export interface Message extends MessageSummary {
  readonly text: string | undefined;
  readonly html: string | undefined;
}

const ID = /^\d{13}-[0-9a-f-]{36}$/;

export class MailBox {
  readonly #directory: string;
  readonly #largestCount: number;
  /** Oldest first. */
  #summaries: MessageSummary[];

  constructor(directory: string, largestCount = 200) {
    this.#directory = directory;
    this.#largestCount = largestCount;
    mkdirSync(directory, { recursive: true });
    const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
    this.#summaries = files
      .sort()
      .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as MessageSummary);
  }

  /** Newest first; `to` narrows to one recipient. */
  list(to?: string): MessageSummary[] {
    const wanted = to?.toLowerCase();
    return this.#summaries
      .filter(({ recipients }) => wanted === undefined || recipients.some((each) => each.toLowerCase() === wanted))
      .reverse();
  }

  /** Keeps a mail. When this returns it is on disk, so that the SMTP client may be told so. */
  async add(raw: Buffer, recipients: readonly string[], receivedAt = new Date()): Promise<MessageSummary> {
    const id = `${String(receivedAt.getTime()).padStart(13, '0')}-${randomUUID()}`;
    const summary = summarise(await PostalMime.parse(raw), { id, receivedAt: receivedAt.toISOString(), recipients });
    await writeFile(this.#path(id, 'eml'), raw);
    await writeFile(this.#path(id, 'unfinished'), JSON.stringify(summary));
    await rename(this.#path(id, 'unfinished'), this.#path(id, 'json'));
    this.#summaries.push(summary);
    await this.#dropOldest();
    return summary;
  }

  async findMessage(id: string): Promise<Message | undefined> {
    const summary = this.#summaries.find((each) => each.id === id);
    if (summary === undefined) return undefined;
    const { text, html } = await this.#parse(id);
    return { ...summary, text, html };
  }

  async findRaw(id: string): Promise<Buffer | undefined> {
    return this.#has(id) ? await readFile(this.#path(id, 'eml')) : undefined;
  }

  /** The parsed mail, contents of its attachments included. */
  async findParsed(id: string): Promise<Email | undefined> {
    return this.#has(id) ? await this.#parse(id) : undefined;
  }

  #has(id: string): boolean {
    return ID.test(id) && this.#summaries.some((each) => each.id === id);
  }

  async #parse(id: string): Promise<Email> {
    return await PostalMime.parse(await readFile(this.#path(id, 'eml')));
  }

  async #dropOldest(): Promise<void> {
    const dropped = this.#summaries.splice(0, Math.max(0, this.#summaries.length - this.#largestCount));
    for (const { id } of dropped) {
      await rm(this.#path(id, 'json'), { force: true });
      await rm(this.#path(id, 'eml'), { force: true });
    }
  }

  #path(id: string, ending: string): string {
    return join(this.#directory, `${id}.${ending}`);
  }
}

function summarise(mail: Email, envelope: Pick<MessageSummary, 'id' | 'receivedAt' | 'recipients'>): MessageSummary {
  const attachments = mail.attachments.map((each, index) => ({
    filename: each.filename || `attachment-${index + 1}`,
    mimeType: each.mimeType,
    sizeBytes: sizeOf(each.content),
  }));
  const from = mail.from ? formatAddress(mail.from) : '';
  return { ...envelope, from, to: (mail.to ?? []).map(formatAddress), subject: mail.subject ?? '', attachments };
}

function formatAddress({ name, address }: Address): string {
  if (address === undefined) return name;
  return name ? `${name} <${address}>` : address;
}

function sizeOf(content: ArrayBuffer | Uint8Array | string): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
}
