/**
 * The in-box on loopback: SMTP without TLS or login, and HTTP that answers only to loopback host names, so that no
 * foreign page reads mail.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import express from 'express';
import type { Attachment } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { type Mail, type MailBox, recipientsOf } from './mail-box.ts';

const LARGEST_MAIL_BYTES = 25_000_000;
const PAGE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The HTML of a mail runs nothing and fetches nothing, so a tracking picture stays unfetched. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";
const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };

export async function listenInBox(mailBox: MailBox, ports: { readonly smtp: number; readonly http: number }) {
  const smtp = createSmtp(mailBox);
  const http = createServer(createApp(mailBox));
  const sockets = [smtp.listen(ports.smtp, '127.0.0.1'), http.listen(ports.http, '127.0.0.1')] as const;
  await Promise.all(sockets.map((socket) => once(socket, 'listening')));
  const [smtpPort, port] = sockets.map((socket) => (socket.address() as AddressInfo).port);
  const close = (): void => {
    smtp.close();
    http.close();
    http.closeAllConnections();
  };
  return { smtpPort: smtpPort ?? 0, url: `http://127.0.0.1:${port}`, close };
}

function createSmtp(mailBox: MailBox): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1_000,
    size: LARGEST_MAIL_BYTES,
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      // A mail that is too large is read to its end, but no longer kept.
      stream.on('data', (chunk: Buffer) => (stream.sizeExceeded ? chunks.splice(0) : chunks.push(chunk)));
      stream.on('end', () => {
        if (stream.sizeExceeded) return done(Object.assign(new Error('The mail is too large'), { responseCode: 552 }));
        const recipients = envelope.rcptTo.map(({ address }) => address);
        mailBox.add(Buffer.concat(chunks), recipients).then(() => done(), done);
      });
    },
  });
  // Without a listener a client that breaks off would end the process.
  smtp.on('error', (error) => console.error(JSON.stringify({ msg: 'smtp', error: error.message })));
  return smtp;
}

function createApp(mailBox: MailBox): express.Express {
  const app = express().disable('x-powered-by');
  app.use(({ headers, method }, response, next) => {
    if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '')) response.sendStatus(421);
    else if (!['GET', 'HEAD'].includes(method)) response.set('allow', 'GET, HEAD').sendStatus(405);
    else next(void response.set({ ...HEADERS, 'content-security-policy': PAGE_POLICY }));
  });
  app.get('/health/{*what}', (_, response) => void response.json({ status: 'up' }));
  app.get('/messages', ({ query }, response) => void response.json(mailBox.list(String(query.to ?? '')).map(present)));
  app.param('id', (_, { locals }, next, id) => {
    locals.mail = mailBox.list().find((mail) => mail.id === id);
    next(locals.mail ? undefined : 'route');
  });
  app.get('/messages/:id', (_, response) => void response.json(present(response.locals.mail)));
  app.get('/messages/:id/raw', (_, response) => {
    // A folder of the way may begin with a dot, as .local does.
    const path = mailBox.pathOf(response.locals.mail);
    response.download(path, basename(path), { dotfiles: 'allow' });
  });
  app.get('/messages/:id/html', (_, response) => {
    response.set('content-security-policy', MAIL_POLICY).type('html').send(withInlineImages(response.locals.mail));
  });
  app.get('/messages/:id/attachments/:index', ({ params }, response, next) => {
    const attachment = (response.locals.mail as Mail).attachments[Number(params.index)];
    if (attachment) response.attachment(nameOf(attachment)).send(toBuffer(attachment));
    else next();
  });
  return app.use(express.static(join(import.meta.dirname, 'page')));
}

function present(mail: Mail) {
  const { id, from, subject = '', text, html } = mail;
  const attachments = mail.attachments.map((each) => {
    return { filename: nameOf(each), contentType: each.mimeType, size: toBuffer(each).length };
  });
  const sender = from && [from.name, from.address && `<${from.address}>`].filter(Boolean).join(' ');
  const date = new Date(Number.parseInt(id, 10)).toISOString();
  return { id, from: sender ?? '', to: recipientsOf(mail), subject, date, attachments, text, html };
}

const nameOf = ({ filename }: Attachment): string => filename || 'attachment';

function toBuffer({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array);
}

/** Pictures that came with the mail are put into its HTML; links open outside the frame. */
function withInlineImages({ html = '', attachments }: Mail): string {
  return attachments.reduce((text, attachment) => {
    const data = `data:${attachment.mimeType};base64,${toBuffer(attachment).toString('base64')}`;
    return text.replaceAll(`cid:${attachment.contentId?.replace(/^<|>$/g, '')}`, data);
  }, `<base target="_blank">${html}`);
}
