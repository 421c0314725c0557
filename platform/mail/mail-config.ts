/** The mail server, and from whom mails come. Read by the process that sends mails. */
import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import { isMailAddress } from './mail-address.ts';

const SECURE_PORT = 465;
const SUBMISSION_PORT = 587;

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps://`). Otherwise STARTTLS. */
  readonly secure: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

export interface Sender {
  readonly name: string;
  readonly address: string;
}

export const mailShape = {
  /** `smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS. A secret when it has a password. */
  MAIL_SERVER: z.string().transform(parseServer),
  /** The sender, as `Samferd <tickets@example.org>`. Message-IDs end in its domain. */
  MAIL_FROM: z.string().max(320).transform(parseSender),
  /** PEM: the authority of the server's certificate where it is none of those that Node knows. */
  MAIL_TLS_CA_FILE: z.string().optional(),
};

export type MailConfig = z.infer<z.ZodObject<typeof mailShape>> & {
  readonly ENVIRONMENT: 'development' | 'staging' | 'production';
};

function parseServer(text: string, context: z.RefinementCtx): MailServer {
  const url = URL.parse(text);
  const secure = url?.protocol === 'smtps:';
  // Never shows the value, which may have a password.
  if (
    !url?.hostname ||
    !(secure || url.protocol === 'smtp:') ||
    !/^\/?$/.test(url.pathname) ||
    url.search ||
    url.hash
  ) {
    context.addIssue({ code: 'custom', message: 'must be smtp://[user:password@]host[:port] or smtps://…' });
    return z.NEVER;
  }
  const [user, pass] = [url.username, url.password].map(decodeURIComponent) as [string, string];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (secure ? SECURE_PORT : SUBMISSION_PORT);
  return { host, port, secure, ...(user && { login: { user, pass } }) };
}

function parseSender(text: string, context: z.RefinementCtx): Sender {
  const [only, ...further] = addressparser(text, { flatten: true });
  if (only?.address && further.length === 0 && isMailAddress(only.address)) {
    return { name: only.name, address: only.address };
  }
  context.addIssue({ code: 'custom', message: 'must be one address, as Samferd <tickets@example.org>' });
  return z.NEVER;
}
