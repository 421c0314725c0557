/** Receipts on their way by real SMTP: to the contact, to given addresses, refused, hanging, repeated after a crash. */
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createReceiptActivities } from '../../../activities/receipts/receipt-activities.ts';
import { ReceiptMails } from '../../../activities/receipts/receipt-mails.ts';
import type { StoredReceipt } from '../../../activities/receipts/receipt-members.ts';
import { deliveredReceipts, RENDERER } from '../../../activities/receipts/receipts-parts.ts';
import { sealAddress } from '../../../activities/receipts/sealed-address.ts';
import type { Mailer, MailOutcome, OutgoingMail } from '../../../platform/mail/mailer.ts';
import { MAIL_TIMES, type MailTimes, openMailer } from '../../../platform/mail/smtp-mailer.ts';
import type { MailTarget } from '../../../workflows/receipts/rules/mailing.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { failingServer, type RunningServer, takingServer } from '../../platform/mail/smtp-servers.ts';
import { later, OURS } from '../../support/sample-orders.ts';
import { anna, request as write } from '../customers/customer-fixture.ts';
import { ReceiptFixture } from './receipt-fixture.ts';

const ADDRESS = 'anna@example.org';
const WORK = { correlationId: 'c' };
/** For servers that never answer. */
const IMPATIENT = { ...MAIL_TIMES, silentMs: 300 };

describe('mails of receipts', () => {
  const fixture = new ReceiptFixture('receipt-mails');
  const closing: (() => unknown)[] = [];
  let server: RunningServer;
  let contact: CustomerNumber;
  before(async () => await fixture.open());
  beforeEach(async () => {
    await fixture.clear();
    server = await takingServer();
    closing.push(() => server.close());
    contact = (await fixture.profiles.create(anna({ email: ADDRESS, languagePreference: 'nob' }), write()))
      .customerNumber;
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(async () => await fixture.close());

  const mailerTo = ({ port }: RunningServer, times: MailTimes = MAIL_TIMES): Mailer => {
    const from = { name: 'Samferd', address: 'tickets@samferd.example' };
    const config = { MAIL_SERVER: { host: '127.0.0.1', port, secure: false }, MAIL_FROM: from } as const;
    const mailer = openMailer({ ...config, MAIL_TLS_CA_FILE: undefined, ENVIRONMENT: 'development' }, times);
    closing.unshift(async () => await mailer.close());
    return mailer;
  };
  const mailsBy = (mailer: Pick<Mailer, 'send'> = mailerTo(server)) =>
    new ReceiptMails({
      receipts: fixture.here.receipts,
      customers: () => fixture.customers,
      openKeys: async () => fixture.orders.here.keys,
      openMailer: async () => mailer,
      renderer: RENDERER,
    });
  const delivered = (mails = mailsBy()) =>
    deliveredReceipts({ issuing: fixture.here.issuing, mails, customers: () => fixture.customers });
  const wanted = async (target: MailTarget, workId = 'work') => {
    const { receipt } = await fixture.issue(await fixture.soldOrder());
    return await fixture.here.receipts.addMail(receipt.reference, target, { workId, ...WORK });
  };
  const given = async ({ receipt }: StoredReceipt, email: string) =>
    await sealAddress(fixture.orders.here.keys, receipt, email);
  const again = async ({ receipt }: StoredReceipt) => await fixture.there.receipts.get(OURS, receipt.reference);

  it('reach the contact once, with the PDF, in the language of the receipt', async () => {
    const { id: orderId, version: orderVersion } = await fixture.soldOrder(34_900, { contact });
    const receipts = delivered();
    const version = { organisationId: OURS, orderId, orderVersion };
    const issued = (await receipts.issue(version, WORK)) ?? assert.fail('it has a receipt');
    assert.deepEqual(await receipts.issue(version, WORK), issued);
    assert.equal(issued.isAddressed, true);
    assert.deepEqual(await receipts.send(OURS, issued.reference, WORK), { kind: 'SENT' });
    assert.deepEqual(await receipts.send(OURS, issued.reference, WORK), { kind: 'SENT' });
    const [mail, ...others] = server.mails;
    assert.deepEqual([mail?.to, others], [[ADDRESS], []]);
    assert.match(mail?.mail.subject ?? '', /^Kvittering 1-2026-1/);
    assert.equal(mail?.mail.messageId, `<${issued.reference}.contact@samferd.example>`);
    const [pdf] = mail?.mail.attachments ?? [];
    assert.deepEqual([pdf?.filename, pdf?.mimeType], ['Kvittering-1-2026-1.pdf', 'application/pdf']);
    assert.equal(
      Buffer.from(pdf?.content as ArrayBuffer)
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
    const stored = await fixture.here.receipts.get(OURS, issued.reference);
    assert.deepEqual([stored.status, stored.mailings.length, stored.document.revision], ['SENT', 1, 2]);
    assert.ok(!JSON.stringify(stored.document).includes(ADDRESS));
  });

  it('are none where the contact has no address, or there is no contact', async () => {
    const nobody = (await fixture.profiles.create(anna({ email: 'x@example.org' }), write())).customerNumber;
    await fixture.orders.here.connection.collection('customer_profiles').deleteOne({ _id: nobody as never });
    for (const more of [{}, { contact: nobody }]) {
      const { id: orderId, version: orderVersion } = await fixture.soldOrder(100, more);
      const receipts = delivered();
      const issued = await receipts.issue({ organisationId: OURS, orderId, orderVersion }, WORK);
      assert.equal(issued?.isAddressed, false);
      assert.deepEqual(await receipts.send(OURS, issued?.reference as never, WORK), { kind: 'FAILED' });
    }
    assert.equal(server.mails.length, 0);
  });

  it('go to each address that callers give, in the language that they ask for, and keep no address', async () => {
    const first = await wanted({ customerNumber: contact, language: 'eng' });
    const address = await given(first, 'kari@example.org');
    await fixture.here.receipts.addMail(first.receipt.reference, { address }, { workId: 'second', ...WORK });
    const { sendReceipt } = createReceiptActivities(mailsBy());
    const input = { organisationId: OURS, orderId: first.receipt.orderId, reference: first.receipt.reference };
    const activity = new MockActivityEnvironment();
    let heartbeats = 0;
    activity.on('heartbeat', () => {
      heartbeats += 1;
    });
    const step = () => activity.run(sendReceipt, { ...input, ...WORK });
    assert.deepEqual(await step(), { status: 'SENT' });
    assert.deepEqual(await step(), { status: 'SENT' });
    // Another worker takes over within seconds where they stop.
    assert.ok(heartbeats > 0);
    const sent = server.mails.map(({ to, mail }) => [to[0], mail.subject?.split(' ')[0], mail.messageId]);
    const id = (number: number) => `<${input.reference}.${number}@samferd.example>`;
    assert.deepEqual(sent.sort(), [
      [ADDRESS, 'Receipt', id(1)],
      ['kari@example.org', 'Kvittering', id(2)],
    ]);
    const { document } = await again(first);
    assert.deepEqual(
      document.mailings.map((mailing) => [mailing.status, mailing.attempts, 'address' in mailing]),
      [
        ['SENT', 1, false],
        ['SENT', 1, false],
      ],
    );
    assert.equal(document.mailDueAt, undefined);
  });

  it('of copies are marked, and keep the number', async () => {
    const original = await fixture.issue(await fixture.soldOrder());
    const address = await given(original, ADDRESS);
    const work = { workId: 'copy', ...WORK };
    const copy = await fixture.here.receipts.copy(original, { address }, work);
    const repeated = await fixture.there.receipts.copy(original, { address }, work);
    assert.equal(repeated.receipt.reference, copy.receipt.reference);
    await mailsBy().sendDue(OURS, copy.receipt.reference);
    const [mail] = server.mails;
    assert.match(mail?.mail.subject ?? '', /1-2026-1 \(kopi\)/);
    assert.match(mail?.mail.text ?? '', /kopi/i);
    const { copyOf, status, receipt } = await again(copy);
    assert.deepEqual([copyOf, status, receipt.number], [original.receipt.reference, 'SENT', original.receipt.number]);
    assert.equal((await again(original)).status, 'CREATED');
  });

  it('of copies end with the 50th, and a repeat finds its own', async () => {
    const original = await fixture.issue(await fixture.soldOrder());
    const { receipts } = fixture.here;
    const target = { customerNumber: contact };
    for (let at = 0; at < 50; at += 1) await receipts.copy(original, target, { workId: `copy ${at}`, ...WORK });
    await assert.rejects(receipts.copy(original, target, { workId: 'one more', ...WORK }), { code: 'INVALID_STATE' });
    const repeated = await receipts.copy(original, target, { workId: 'copy 49', ...WORK });
    assert.equal(repeated.copyOf, original.receipt.reference);
  });

  it('fail at once where the address is refused, with the code and never the address', async () => {
    const refusing = await failingServer('RCPT TO', '550 5.1.1 <anna@example.org> unknown');
    closing.push(() => refusing.close());
    const stored = await wanted({ customerNumber: contact });
    const step = await mailsBy(mailerTo(refusing)).sendDue(OURS, stored.receipt.reference);
    assert.deepEqual(step, { status: 'FAILED' });
    const { mailings, document } = await again(stored);
    assert.deepEqual(
      mailings.map(({ status, lastFailure }) => [status, lastFailure]),
      [['FAILED', '550 5.1.1']],
    );
    assert.ok(!JSON.stringify(document).includes(ADDRESS));
  });

  it('are tried again under the same Message-ID where the server hangs, leaves or fails', async () => {
    const stored = await wanted({ customerNumber: contact });
    const { reference } = stored.receipt;
    const faults = [
      await failingServer('message', 'SILENT'),
      await failingServer('DATA', 'LEAVES'),
      await failingServer('RCPT TO', '450 4.2.0 later'),
    ];
    closing.push(...faults.map((each) => () => each.close()));
    let next = fixture.now;
    for (const [tried, each] of faults.entries()) {
      fixture.now = next;
      const step = await mailsBy(mailerTo(each, IMPATIENT)).sendDue(OURS, reference);
      assert.deepEqual([step.status, step.nextTryAtMs], ['SENDING', later(2 ** tried, next).getTime()]);
      // Before its time nothing is tried.
      assert.deepEqual(await mailsBy().sendDue(OURS, reference), step);
      next = new Date(step.nextTryAtMs ?? 0);
    }
    assert.equal(server.mails.length, 0);
    fixture.now = next;
    assert.deepEqual(await mailsBy().sendDue(OURS, reference), { status: 'SENT' });
    assert.equal(server.mails[0]?.mail.messageId, `<${reference}.1@samferd.example>`);
    assert.equal((await again(stored)).mailings[0]?.attempts, 4);
  });

  it('that nobody wrote down after they were taken are repeated with the same Message-ID', async () => {
    const stored = await wanted({ customerNumber: contact });
    const { reference } = stored.receipt;
    const real = mailerTo(server);
    const dying = async (mail: OutgoingMail): Promise<MailOutcome> => {
      await real.send(mail);
      throw new Error('killed');
    };
    await assert.rejects(mailsBy({ send: dying }).sendDue(OURS, reference), /killed/);
    await assert.rejects(mailsBy({ send: dying }).sendToContact(OURS, (await contactReceipt()).reference), /killed/);
    assert.deepEqual(await mailsBy(real).sendDue(OURS, reference), { status: 'SENT' });
    const ids = server.mails
      .filter(({ mail }) => mail.messageId?.includes(reference))
      .map(({ mail }) => mail.messageId);
    assert.deepEqual(ids, [`<${reference}.1@samferd.example>`, `<${reference}.1@samferd.example>`]);
  });

  it('are sent once each where one of them fails inside', async () => {
    const stored = await wanted({ customerNumber: contact });
    const { reference } = stored.receipt;
    await fixture.here.receipts.addMail(reference, { customerNumber: contact }, { workId: 'second', ...WORK });
    const real = mailerTo(server);
    const first = `${reference}.1`;
    const failing = async (mail: OutgoingMail): Promise<MailOutcome> => {
      if (mail.messageId === first) throw new Error('failed inside');
      return await real.send(mail);
    };
    await assert.rejects(mailsBy({ send: failing }).sendDue(OURS, reference), /failed inside/);
    const { mailings } = await again(stored);
    assert.deepEqual(
      mailings.map(({ status }) => status),
      ['DUE', 'SENT'],
    );
    assert.deepEqual(await mailsBy(real).sendDue(OURS, reference), { status: 'SENT' });
    const ids = server.mails.map(({ mail }) => mail.messageId);
    assert.deepEqual(
      ids,
      [2, 1].map((number) => `<${reference}.${number}@samferd.example>`),
    );
  });

  it('are handed over five at a time', async () => {
    const stored = await wanted({ customerNumber: contact });
    const { reference } = stored.receipt;
    for (let number = 2; number <= 12; number += 1) {
      await fixture.here.receipts.addMail(
        reference,
        { customerNumber: contact },
        { workId: `work ${number}`, ...WORK },
      );
    }
    const sent: string[] = [];
    const counting = async ({ messageId }: OutgoingMail): Promise<MailOutcome> => {
      sent.push(messageId);
      return { kind: 'SENT' };
    };
    const mails = mailsBy({ send: counting });
    const counts: number[] = [];
    for (let isOver = false; !isOver; ) {
      const { nextTryAtMs } = await mails.sendDue(OURS, reference);
      counts.push(sent.length);
      // The workflow asks at once for those that are due.
      isOver = nextTryAtMs === undefined;
      if (!isOver) assert.ok((nextTryAtMs ?? 0) <= fixture.now.getTime());
    }
    assert.deepEqual([counts, new Set(sent).size], [[5, 10, 12], 12]);
  });

  it('find nobody once the order was erased', async () => {
    const stored = await wanted({});
    const address = await given(stored, ADDRESS);
    await fixture.here.receipts.addMail(stored.receipt.reference, { address }, { workId: 'other', ...WORK });
    await fixture.orders.here.keys.destroyOf(`order/${stored.receipt.orderId}` as never);
    assert.deepEqual(await mailsBy().sendDue(OURS, stored.receipt.reference), { status: 'FAILED' });
    const { mailings } = await again(stored);
    assert.deepEqual(
      mailings.map(({ lastFailure }) => lastFailure),
      ['NO_ADDRESS', 'NO_ADDRESS'],
    );
    assert.equal(server.mails.length, 0);
  });

  async function contactReceipt() {
    return (await fixture.issue(await fixture.soldOrder(100, { contact }))).receipt;
  }
});
