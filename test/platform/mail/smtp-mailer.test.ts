import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, parseConfig } from '../../../platform/config.ts';
import { mailShape } from '../../../platform/mail/mail-config.ts';
import type { Mailer, OutgoingMail } from '../../../platform/mail/mailer.ts';
import { MAIL_TIMES, type MailTimes, openMailer } from '../../../platform/mail/smtp-mailer.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { failingServer, type RunningServer, STAGES, type Stage, takingServer } from './smtp-servers.ts';

const TO = 'kari.nordmann@example.org';
const TICKET: OutgoingMail = {
  messageId: '4503599627370495.C12.1',
  to: TO,
  subject: 'Billetten din til Ås',
  text: 'God tur',
  html: '<p>God tur</p>',
  attachments: [{ filename: 'billett Ås.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.4\n') }],
};
/** Ends what hangs, whatever hangs. */
const SHORT: MailTimes = { connectMs: 400, greetMs: 400, silentMs: 400, mailMs: 60_000 };

describe('The mailer', () => {
  const opened: (RunningServer | Mailer)[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  const during = <Opened extends RunningServer | Mailer>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  const mailerTo = (url: string, settings: { env?: string; ca?: string; times?: MailTimes } = {}) => {
    const { env = 'development', ca, times = MAIL_TIMES } = settings;
    const values = {
      MAIL_SERVER: url,
      MAIL_FROM: 'Samferd Øst <tickets@example.com>',
      ...(ca && { MAIL_TLS_CA_FILE: ca }),
    };
    const config = { ...parseConfig(mailShape, values), ENVIRONMENT: env as 'development' };
    return during(openMailer(config, times));
  };

  it('sends text, HTML and attachments', async () => {
    const server = during(await takingServer());
    assert.deepEqual(await mailerTo(`smtp://127.0.0.1:${server.port}`).send(TICKET), { kind: 'SENT' });
    const [{ from, to, mail } = assert.fail()] = server.mails;
    assert.deepEqual([from, to], ['tickets@example.com', [TO]]);
    assert.deepEqual(mail.from, { name: 'Samferd Øst', address: 'tickets@example.com' });
    assert.deepEqual(mail.to, [{ name: '', address: TO }]);
    assert.equal(mail.messageId, '<4503599627370495.C12.1@example.com>');
    assert.equal(mail.subject, TICKET.subject);
    assert.deepEqual([mail.text?.trim(), mail.html?.trim()], [TICKET.text, TICKET.html]);
    assert.equal(mail.attachments[0]?.filename, 'billett Ås.pdf');
    assert.equal(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString(), '%PDF-1.4\n');
    assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated');
  });

  it('keeps a few connections for many mails', async () => {
    const server = during(await takingServer());
    const mailer = mailerTo(`smtp://127.0.0.1:${server.port}`);
    const outcomes = await Promise.all(Array.from({ length: 20 }, async () => await mailer.send(TICKET)));
    assert.ok(outcomes.every(({ kind }) => kind === 'SENT'));
    assert.equal(server.mails.length, 20);
    assert.ok(server.connections() <= 4, `${server.connections()} connections`);
  });

  it('sends over a new connection when the server has closed an idle one', async () => {
    const closed = Promise.withResolvers<void>();
    const server = during(await takingServer({ socketTimeout: 200, onClose: () => closed.resolve() }));
    const mailer = mailerTo(`smtp://127.0.0.1:${server.port}`);
    assert.deepEqual(await mailer.send(TICKET), { kind: 'SENT' });
    await closed.promise;
    assert.deepEqual(await mailer.send(TICKET), { kind: 'SENT' });
    assert.deepEqual([server.mails.length, server.connections()], [2, 2]);
  });

  it('sends once more when the server says at the mail that it is closing the connection', async () => {
    const answers = [Object.assign(new Error('Idle for too long'), { responseCode: 421 }), null];
    const server = during(await takingServer({ onMailFrom: (_from, _session, done) => done(answers.shift()) }));
    assert.deepEqual(await mailerTo(`smtp://127.0.0.1:${server.port}`).send(TICKET), { kind: 'SENT' });
    assert.equal(server.mails.length, 1);
  });

  describe('writes no header and no recipient that it was not asked for', () => {
    const foreign = /evil/;

    for (const to of [
      'kari@example.org\r\nBcc: evil@example.net',
      'kari@example.org, evil@example.net',
      'kari@example.org;evil@example.net',
      'friends: kari@example.org, evil@example.net;',
      '<evil@example.net>kari@example.org',
      'kari@example.org>\r\nRCPT TO:<evil@example.net',
      '"evil@example.net,"@example.org',
      'kari\u0000@example.org',
      '@evil.example:kari@example.org',
      'kari',
      'kari@',
      '',
    ]) {
      it(`refuses ${JSON.stringify(to)} as an address`, async () => {
        const server = during(await takingServer());
        const outcome = await mailerTo(`smtp://127.0.0.1:${server.port}`).send({ ...TICKET, to });
        assert.deepEqual(outcome, { kind: 'REFUSED', code: '553 5.1.3' });
        assert.equal(server.connections(), 0);
      });
    }

    it('keeps every value in its header', async () => {
      const server = during(await takingServer());
      const injected = 'x\r\nBcc: evil@example.net\r\n\r\nevil\u2028';
      const attachment = { filename: injected, contentType: `text/plain${injected}`, content: Buffer.from('a') };
      const mail = { ...TICKET, subject: injected, messageId: injected, replyTo: injected, attachments: [attachment] };
      assert.deepEqual(await mailerTo(`smtp://127.0.0.1:${server.port}`).send(mail), { kind: 'SENT' });
      const [taken = assert.fail()] = server.mails;
      assert.deepEqual(taken.to, [TO]);
      const names = taken.mail.headers.map(({ key }) => key);
      assert.ok(!names.includes('bcc') && !names.includes('reply-to'), names.join(' '));
      assert.equal(taken.mail.text?.trim(), TICKET.text);
      for (const line of taken.raw.split('\r\n')) assert.ok(!/^bcc:/i.test(line) && !/^evil/.test(line), line);
      assert.match(taken.raw, foreign);
    });

    it('reads neither files nor addresses for a content', async () => {
      const server = during(await takingServer());
      const mail = { ...TICKET, text: 'file:///etc/hostname', html: 'http://127.0.0.1:9/' };
      assert.deepEqual(await mailerTo(`smtp://127.0.0.1:${server.port}`).send(mail), { kind: 'SENT' });
      assert.equal(server.mails[0]?.mail.text?.trim(), 'file:///etc/hostname');
    });
  });

  describe('tells refusals of a mail from failures of the server', () => {
    const refusals: readonly [Stage, string, string, string][] = [
      ['RCPT TO', '550 5.1.1 <kari.nordmann@example.org>: no such user', 'REFUSED', '550 5.1.1'],
      ['RCPT TO', '550 no such user', 'REFUSED', '550'],
      ['RCPT TO', '450 4.2.1 try later', 'UNKNOWN', '450 4.2.1'],
      ['RCPT TO', '530 5.7.0 log in first', 'UNKNOWN', '530 5.7.0'],
      ['DATA', '554 5.7.1 no spam', 'REFUSED', '554 5.7.1'],
      ['message', '552 5.3.4 too large', 'REFUSED', '552 5.3.4'],
      ['message', '451 4.3.0 disk full', 'UNKNOWN', '451 4.3.0'],
      ['message', '421 4.3.2 going down', 'UNKNOWN', '421 4.3.2'],
      ['MAIL FROM', '550 5.7.1 you are no sender of ours', 'UNKNOWN', '550 5.7.1'],
      ['greeting', '554 5.7.1 blocked', 'UNKNOWN', '554 5.7.1'],
    ];
    for (const [stage, answer, kind, code] of refusals) {
      it(`${answer} at ${stage}: ${kind}`, async () => {
        const server = during(await failingServer(stage, answer));
        assert.deepEqual(await mailerTo(`smtp://127.0.0.1:${server.port}`).send(TICKET), { kind, code });
      });
    }

    it('a mail that is larger than the server takes', async () => {
      const server = during(await takingServer({ size: 100 }));
      const outcome = await mailerTo(`smtp://127.0.0.1:${server.port}`).send(TICKET);
      assert.deepEqual(outcome, { kind: 'REFUSED', code: '552' });
    });
  });

  describe('does not know what became of a mail', () => {
    for (const stage of STAGES) {
      it(`when the server is silent at ${stage}`, async () => {
        const server = during(await failingServer(stage, 'SILENT'));
        const outcome = await mailerTo(`smtp://127.0.0.1:${server.port}`, { times: SHORT }).send(TICKET);
        assert.deepEqual(outcome, { kind: 'UNKNOWN', code: 'ETIMEDOUT' });
      });

      it(`when the server leaves at ${stage}`, async () => {
        const server = during(await failingServer(stage, 'LEAVES'));
        const outcome = await mailerTo(`smtp://127.0.0.1:${server.port}`).send(TICKET);
        assert.equal(outcome.kind, 'UNKNOWN');
        assert.match('code' in outcome ? outcome.code : '', /^(ECONNECTION|ESOCKET)$/);
        // Once the mail is on its way, one call never sends it twice.
        if (stage === 'message') assert.equal(server.connections(), 1);
      });
    }

    it('when the server never comes to an end', async () => {
      const server = during(await failingServer('greeting', '220-and\r\n220-so\r\n220-on'));
      const mailer = mailerTo(`smtp://127.0.0.1:${server.port}`, { times: { ...MAIL_TIMES, mailMs: 300 } });
      assert.equal((await mailer.send(TICKET)).kind, 'UNKNOWN');
    });

    it('when there is no server', async () => {
      const { port, close } = await takingServer();
      close();
      assert.equal((await mailerTo(`smtp://127.0.0.1:${port}`).send(TICKET)).kind, 'UNKNOWN');
    });
  });

  describe('outside development', () => {
    const { cert, key } = makeCertificate();
    const ca = join(temporaryDirectory('mail'), 'ca.pem');
    writeFileSync(ca, cert);

    it('sends by STARTTLS, with the login', async () => {
      const onAuth = (
        auth: { username?: string; password?: string },
        _: unknown,
        done: (error: null, answer: { user: string }) => void,
      ) => done(null, { user: `${auth.username}/${auth.password}` });
      const server = during(await takingServer({ key, cert, onAuth: onAuth as never, authOptional: false }));
      const mailer = mailerTo(`smtp://samferd:p%40ss@localhost:${server.port}`, { env: 'production', ca });
      assert.deepEqual(await mailer.send(TICKET), { kind: 'SENT' });
      assert.deepEqual([server.mails[0]?.secure, server.mails[0]?.user], [true, 'samferd/p@ss']);
    });

    it('sends by TLS from the first byte', async () => {
      const server = during(await takingServer({ key, cert, secure: true }));
      const mailer = mailerTo(`smtps://localhost:${server.port}`, { env: 'production', ca });
      assert.deepEqual(await mailer.send(TICKET), { kind: 'SENT' });
    });

    it('sends nothing to a server without TLS, or with the certificate of another', async () => {
      const plain = during(await takingServer());
      const foreign = during(await takingServer({ key, cert }));
      const outcomes = [
        await mailerTo(`smtp://localhost:${plain.port}`, { env: 'production', ca }).send(TICKET),
        await mailerTo(`smtp://localhost:${foreign.port}`, { env: 'staging' }).send(TICKET),
      ];
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['UNKNOWN', 'UNKNOWN'],
      );
      assert.deepEqual([...plain.mails, ...foreign.mails], []);
    });
  });

  it('refuses settings that are not usable, without showing them', () => {
    const good = { MAIL_SERVER: 'smtp://127.0.0.1:25', MAIL_FROM: 'a@example.org' };
    for (const bad of [
      { MAIL_SERVER: 'http://user:secret@host' },
      { MAIL_SERVER: 'smtp://user:secret@host?pool=false' },
      { MAIL_SERVER: 'smtp://' },
      { MAIL_FROM: 'a@example.org, secret@example.org' },
      { MAIL_FROM: 'secret' },
    ]) {
      const parse = () => parseConfig(mailShape, { ...good, ...bad });
      assert.throws(parse, (error: Error) => error instanceof ConfigError && !error.message.includes('secret'));
    }
  });
});
