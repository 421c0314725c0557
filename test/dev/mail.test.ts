import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { listenInBox } from '../../dev/mail/in-box.ts';
import { MailBox } from '../../dev/mail/mail-box.ts';
import { startBrowser } from '../support/browser.ts';
import { temporaryDirectory } from '../support/folders.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Replaced by an address that records every request. */
const FOREIGN = 'http://foreign.example';

const TICKET_MAIL = `From: =?utf-8?q?Samferd_=C3=98st?= <billett@example.org>
To: Kari Nordmann <kari@example.org>
Subject: =?utf-8?q?Billetten_din_til_=C3=85s?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

God tur! Spor 2 <script>alert(1)</script>
--inner
Content-Type: text/html; charset=utf-8

<h1>God tur</h1><script>document.body.innerHTML = 'script ran'</script><img src="cid:logo" alt="logo"><img src="${FOREIGN}/pixel" alt="">
<a href="http://127.0.0.1:1/order">Se ordren</a>
--inner--
--outer
Content-Type: image/png; name=logo.png
Content-ID: <logo>
Content-Disposition: inline; filename=logo.png
Content-Transfer-Encoding: base64

${PNG}
--outer
Content-Type: application/pdf
Content-Disposition: attachment; filename="=?utf-8?q?bill=C3=A9tt.pdf?="
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--outer--`;

interface Shown {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly date: string;
  readonly attachments: readonly object[];
  readonly text?: string;
  readonly html?: string;
}

/** Sends a mail by SMTP. Returns the server's last answer. */
async function sendMail(port: number, to: readonly string[], text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
  const reply = async (): Promise<string> => {
    for (;;) {
      const { value = '', done } = await replies.next();
      if (done || !/^\d{3}-/.test(value)) return value;
    }
  };
  const sendLine = async (line: string) => {
    socket.write(`${line}\r\n`);
    return await reply();
  };
  try {
    await reply();
    await sendLine('EHLO test');
    await sendLine('MAIL FROM:<billett@example.org>');
    for (const each of to) await sendLine(`RCPT TO:<${each}>`);
    await sendLine('DATA');
    return await sendLine(`${text.replaceAll('\n', '\r\n').replaceAll('\r\n.', '\r\n..')}\r\n.`);
  } finally {
    socket.end('QUIT\r\n');
    await once(socket, 'close');
  }
}

describe('The mail in-box', () => {
  let directory: string;
  let inBox: Awaited<ReturnType<typeof listenInBox>>;

  beforeEach(async () => {
    // As the in-box of `npm start`, whose folder is below .local.
    directory = join(temporaryDirectory('mail'), '.local');
    mkdirSync(directory);
    inBox = await listenInBox(await MailBox.open(directory, 3), { smtp: 0, http: 0 });
  });
  afterEach(() => inBox.close());

  const listMessages = async (query = '') => {
    const answer = await fetch(`${inBox.url}/messages${query}`);
    return (await answer.json()) as Shown[];
  };

  const sendTicket = async (to: readonly string[] = ['kari@example.org'], text = TICKET_MAIL): Promise<Shown> => {
    assert.match(await sendMail(inBox.smtpPort, to, text), /^250 /);
    const [newest] = await listMessages();
    assert.ok(newest);
    return newest;
  };

  it('accepts a mail by SMTP and serves it as JSON', async () => {
    const { id, ...mail } = await sendTicket();
    assert.equal(mail.from, 'Samferd Øst <billett@example.org>');
    assert.deepEqual(mail.to, ['kari@example.org']);
    assert.equal(mail.subject, 'Billetten din til Ås');
    assert.ok(Math.abs(Date.parse(mail.date) - Date.now()) < 60_000);
    assert.deepEqual(mail.attachments, [
      { filename: 'logo.png', contentType: 'image/png', size: 70 },
      { filename: 'billétt.pdf', contentType: 'application/pdf', size: 9 },
    ]);
    const one = (await (await fetch(`${inBox.url}/messages/${id}`)).json()) as Shown;
    assert.deepEqual(one, { id, ...mail });
    assert.match(one.text ?? '', /God tur! Spor 2/);
    assert.match(one.html ?? '', /<h1>God tur<\/h1>/);
  });

  it('finds the mails of one recipient, blind copies too', async () => {
    await sendTicket(['kari@example.org', 'Ola@example.org']);
    assert.equal((await listMessages('?to=ola@example.org')).length, 1);
    assert.equal((await listMessages('?to=per@example.org')).length, 0);
  });

  it('keeps one copy of a Message-ID for each recipient', async () => {
    const text = TICKET_MAIL.replace('Subject:', 'Message-ID: <1.C12.1@example.org>\nSubject:');
    const both = ['kari@example.org', 'ola@example.org'];
    await Promise.all(both.map(async () => assert.match(await sendMail(inBox.smtpPort, both, text), /^250 /)));
    await sendMail(inBox.smtpPort, ['Kari@example.org', 'per@example.org'], text);
    assert.deepEqual(
      (await listMessages()).map(({ to }) => to),
      [['per@example.org'], both],
    );
    await sendMail(inBox.smtpPort, both, text.replace('1.C12.1', '1.C12.2'));
    assert.equal((await listMessages('?to=kari@example.org')).length, 2);
  });

  it('serves an attachment under its name, and the original mail', async () => {
    const { id } = await sendTicket();
    const pdf = await fetch(`${inBox.url}/messages/${id}/attachments/1`);
    assert.match(pdf.headers.get('content-disposition') ?? '', /^attachment; .*filename\*=UTF-8''bill%C3%A9tt.pdf$/);
    assert.equal(await pdf.text(), '%PDF-1.4\n');
    assert.match(await (await fetch(`${inBox.url}/messages/${id}/raw`)).text(), /^From: =\?utf-8/m);
  });

  it('keeps the newest few, also over a restart', async () => {
    for (const number of [1, 2, 3, 4]) {
      await sendMail(inBox.smtpPort, ['a@example.org'], `Subject: ${number}\n\nText`);
    }
    const subjects = (mails: readonly { readonly subject?: string | undefined }[]) => mails.map((mail) => mail.subject);
    assert.deepEqual(subjects(await listMessages()), ['4', '3', '2']);
    assert.equal(readdirSync(directory).length, 3);
    assert.deepEqual(subjects((await MailBox.open(directory)).list()), ['4', '3', '2']);
  });

  it('refuses a mail that is too large, and accepts the next', async () => {
    assert.match(
      await sendMail(inBox.smtpPort, ['a@example.org'], `Subject: big\n\n${'x'.repeat(26_000_000)}`),
      /^552 /,
    );
    await sendTicket();
    assert.equal((await listMessages()).length, 1);
  });

  it('answers 404 to a missing mail, 405 to another method', async () => {
    for (const path of ['/messages/x', '/messages/x/raw', '/messages/..%2f..', '/else']) {
      assert.equal((await fetch(`${inBox.url}${path}`)).status, 404, path);
    }
    const { id } = await sendTicket();
    assert.equal((await fetch(`${inBox.url}/messages/${id}/attachments/9`)).status, 404);
    assert.equal((await fetch(inBox.url, { method: 'POST' })).status, 405);
  });

  describe('in a browser', () => {
    let browser: Browser;

    before(async function () {
      const started = await startBrowser();
      if (!started) return this.skip();
      browser = started;
    });
    after(async () => await browser?.close());

    it('lists and shows a mail without running or fetching its content', async () => {
      const page = await browser.newPage({ colorScheme: 'dark' });
      const foreign = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      let visits = 0;
      foreign.on('connection', () => {
        visits += 1;
      });
      await once(foreign, 'listening');
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(inBox.url);
      const foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
      await sendTicket(undefined, TICKET_MAIL.replaceAll(FOREIGN, foreignUrl));
      const ticket = page.getByText('Billetten din til Ås');
      await ticket.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { name: 'God tur' }).waitFor();
      assert.equal(await frame.getByText('script ran').count(), 0);
      await frame.locator('css=img[alt=logo][src^="data:"]').waitFor();
      assert.equal(await page.getByText('<script>alert(1)</script>').count(), 1);
      assert.equal(visits, 0);
      assert.deepEqual(problems, []);
      foreign.close();
      await screenshot(page, 'message-dark');
      await page.close();
    });

    it('fits a narrow screen', async () => {
      await sendTicket();
      const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
      await page.goto(inBox.url);
      await page.getByText('Billetten din til Ås').click();
      const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      assert.equal(await page.evaluate(tooWide), false);
      await screenshot(page, 'list-light');
      await page.close();
    });
  });
});

/** With `SCREENSHOTS=folder`, stores a screenshot of the page. */
async function screenshot(page: import('playwright-core').Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/mail-${name}.png`, fullPage: true });
}
