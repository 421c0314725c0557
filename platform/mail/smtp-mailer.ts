/**
 * Sends mails by SMTP with npm `nodemailer`, over a few connections that stay open between mails. Outside development it
 * speaks TLS alone. It logs nothing: the server's answers repeat the recipient.
 */
import { readFileSync } from 'node:fs';
import nodemailer, { type SendMailOptions, type SMTPPoolOptions } from 'nodemailer';
import { isMailAddress } from './mail-address.ts';
import type { MailConfig } from './mail-config.ts';
import { isClosing, outcomeOfError } from './mail-outcome.ts';
import type { Mailer, MailOutcome, OutgoingMail } from './mailer.ts';

export interface MailTimes {
  readonly connectMs: number;
  /** From the connection to the greeting, STARTTLS included. */
  readonly greetMs: number;
  /** Without a byte from the server. */
  readonly silentMs: number;
  /** For one mail in all, waiting for a connection included. Ends also a server that answers byte by byte. */
  readonly mailMs: number;
}

export const MAIL_TIMES: MailTimes = { connectMs: 10_000, greetMs: 10_000, silentMs: 30_000, mailMs: 60_000 };

/** Servers count connections of one client. Mails of one worker need no more. */
const CONNECTIONS = 4;
const MAILS_A_CONNECTION = 100;
/** Shorter than servers wait, five minutes (RFC 5321, 4.5.3.2.7). */
const IDLE_MS = 30_000;
/** Of an address that no server needs to be asked about: bad destination mailbox address syntax (RFC 3463). */
const NO_ADDRESS: MailOutcome = { kind: 'REFUSED', code: '553 5.1.3' };

export function openMailer(config: MailConfig, times: MailTimes = MAIL_TIMES): Mailer {
  const { MAIL_FROM: from } = config;
  const transport = nodemailer.createTransport(transportOf(config, times));
  // Failures reach the caller by `send`. Without a listener they would end the process.
  transport.on('error', () => {});
  const host = from.address.slice(from.address.indexOf('@') + 1);
  return {
    send: async (mail) => {
      if (!isMailAddress(mail.to)) return NO_ADDRESS;
      const signal = AbortSignal.timeout(times.mailMs);
      const envelope = { from: from.address, to: [mail.to] };
      const send = async () => await transport.sendMail({ ...messageOf(mail, host), from, envelope, signal });
      try {
        await send().catch((error) => (isClosing(error) ? send() : Promise.reject(error)));
        return { kind: 'SENT' };
      } catch (error) {
        return outcomeOfError(error);
      }
    },
    close: async () => transport.close(),
  };
}

function transportOf({ MAIL_SERVER, MAIL_TLS_CA_FILE, ENVIRONMENT }: MailConfig, times: MailTimes) {
  const { host, port, secure, login } = MAIL_SERVER;
  return {
    pool: true,
    host,
    port,
    secure,
    requireTLS: ENVIRONMENT !== 'development',
    tls: { minVersion: 'TLSv1.2', ...(MAIL_TLS_CA_FILE && { ca: readFileSync(MAIL_TLS_CA_FILE, 'utf8') }) },
    ...(login && { auth: login }),
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_A_CONNECTION,
    idleTimeout: IDLE_MS,
    // A mail of which no byte was sent goes out over another connection, once. Any other is the caller's to repeat.
    maxRequeues: 1,
    connectionTimeout: times.connectMs,
    dnsTimeout: times.connectMs,
    greetingTimeout: times.greetMs,
    socketTimeout: times.silentMs,
  } satisfies SMTPPoolOptions & { pool: true };
}

/** Values of headers have no control characters, which end a header. Contents never name a file or an address to fetch. */
function messageOf(mail: OutgoingMail, host: string): SendMailOptions {
  return {
    to: { name: '', address: mail.to },
    ...(mail.replyTo && isMailAddress(mail.replyTo) && { replyTo: { name: '', address: mail.replyTo } }),
    messageId: `<${mail.messageId.replace(/[^\w.+/=-]/g, '-')}@${host}>`,
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments.map(({ filename, contentType, content }) => ({
      filename: oneLine(filename),
      contentType: oneLine(contentType),
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
    // Vacation replies and the like stay away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
