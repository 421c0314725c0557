/** The page and the JSON of the in-box, on loopback. Answers only to loopback host names, so that no foreign page can read the mail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Email } from 'postal-mime';
import type { MailBox } from './mail-box.ts';
import { listPage, messagePage, notFoundPage, SCRIPT, STYLE } from './pages.ts';
import { chooseLanguage } from './texts.ts';

interface Answer {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A mail's HTML may look as it wants, but runs nothing and fetches nothing: also a tracking picture stays unfetched. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";
/** Types a browser may be told; all else is bytes to save. */
const KNOWN_TYPES = /^(application\/pdf|image\/(png|jpeg|gif|webp)|text\/(plain|calendar))$/;

export interface WebInBox {
  readonly url: string;
  close(): Promise<void>;
}

export async function listenWeb(mailBox: MailBox, port: number, host = '127.0.0.1'): Promise<WebInBox> {
  const server = createServer((request, response) => {
    findAnswer(mailBox, request).then(
      (answer) => send(response, answer, request.method === 'HEAD'),
      (error: Error) => {
        console.error(JSON.stringify({ msg: 'page', error: error.message }));
        send(response, json({ message: 'The in-box cannot answer' }, 500), false);
      },
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function findAnswer(mailBox: MailBox, request: IncomingMessage): Promise<Answer> {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? ''))
    return json({ message: 'Not for this host' }, 421);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return json({ message: 'Method not allowed' }, 405, { allow: 'GET, HEAD' });
  const url = new URL(request.url ?? '/', 'http://in-box');
  const language = chooseLanguage(url.searchParams.get('lang'), request.headers['accept-language']);
  const [area = '', id = '', part, index] = url.pathname.split('/').slice(1);
  if (url.pathname === '/') return html(listPage(mailBox.list(), language));
  if (url.pathname === '/page.css') return { type: 'text/css; charset=utf-8', body: STYLE };
  if (url.pathname === '/page.js') return { type: 'text/javascript; charset=utf-8', body: SCRIPT };
  if (url.pathname === '/health/ready' || url.pathname === '/health/live') return json({ status: 'up' });
  if (url.pathname === '/api/messages') return json({ items: mailBox.list(url.searchParams.get('to') ?? undefined) });
  if (area === 'api' && id === 'messages' && part !== undefined && index === undefined) {
    const message = await mailBox.findMessage(part);
    return message ? json(message) : json({ message: 'There is no such mail' }, 404);
  }
  const found = area === 'messages' ? await findOfMessage(mailBox, id, part, index, language) : undefined;
  return found ?? html(notFoundPage(language), 404);
}

async function findOfMessage(
  mailBox: MailBox,
  id: string,
  part: string | undefined,
  index: string | undefined,
  language: 'nb' | 'en',
): Promise<Answer | undefined> {
  if (part === undefined) {
    const message = await mailBox.findMessage(id);
    return message && html(messagePage(message, language));
  }
  if (part === 'raw') {
    const raw = await mailBox.findRaw(id);
    return raw && download(raw, 'message/rfc822', `${id}.eml`);
  }
  const mail = await mailBox.findParsed(id);
  if (part === 'html' && mail?.html !== undefined) {
    return {
      type: 'text/html; charset=utf-8',
      body: withInlineImages(mail),
      headers: { 'content-security-policy': MAIL_POLICY },
    };
  }
  const attachment =
    part === 'attachments' && /^\d{1,4}$/.test(index ?? '') ? mail?.attachments[Number(index)] : undefined;
  if (attachment === undefined) return undefined;
  const type = KNOWN_TYPES.test(attachment.mimeType) ? attachment.mimeType : 'application/octet-stream';
  return download(toBytes(attachment.content), type, attachment.filename || `attachment-${Number(index) + 1}`);
}

/** Pictures that came with the mail are put into its HTML; links open outside the frame. */
function withInlineImages(mail: Email): string {
  let text = mail.html ?? '';
  for (const { contentId, mimeType, content } of mail.attachments) {
    if (!contentId || !/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) continue;
    const data = `data:${mimeType};base64,${Buffer.from(toBytes(content)).toString('base64')}`;
    text = text.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, data);
  }
  return `<base target="_blank">${text}`;
}

function toBytes(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

function download(body: Uint8Array, type: string, filename: string): Answer {
  const name = `attachment; filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, escape)}`;
  return { type, body, headers: { 'content-disposition': name } };
}

function html(body: string, status = 200): Answer {
  return { status, type: 'text/html; charset=utf-8', body, headers: { 'content-security-policy': PAGE_POLICY } };
}

function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value), headers };
}

function send(response: ServerResponse, { status = 200, type, body, headers }: Answer, headOnly: boolean): void {
  const common = {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
  response.writeHead(status, { ...common, ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(headOnly ? undefined : body);
}
