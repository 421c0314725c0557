/** A mail and the PDFs that it brings are in one language: that of its reader. */
import assert from 'node:assert/strict';
import { isPdfIn } from '../../../activities/shared/pdf/tagged-pdf.ts';
import { MailComposer } from '../../../activities/tickets/delivery/mail-composer.ts';
import { TicketPdfs } from '../../../activities/tickets/ticket-pdfs.ts';
import { TicketSheets } from '../../../activities/tickets/ticket-sheets.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import type { CustomerNumber } from '../../../workflows/shared/ids.ts';
import { TEXT_LANGUAGES, type TextLanguage } from '../../../workflows/shared/text.ts';
import type { TicketGroup } from '../../../workflows/tickets/rules/ticket-group.ts';
import type { Mailing, TicketMail } from '../../../workflows/tickets/rules/ticket-mailing.ts';
import { OURS } from '../../support/sample-orders.ts';
import { theTicket } from '../../support/sample-tickets.ts';
import { useObjectStore } from '../../support/stack.ts';
import { ANNA, BERIT, TicketFixture } from './ticket-fixture.ts';

describe('a mail with tickets', () => {
  const fixture = new TicketFixture('mail-composer');
  let objects: ObjectStore;
  let composer: MailComposer;
  let pdfs: TicketPdfs;
  let group: TicketGroup;

  before(async () => {
    await fixture.open();
    objects = await ObjectStore.open(await useObjectStore());
    const lists = { organisations: [], userTypes: [], entitlements: [], distributionChannels: [] };
    const catalogue = {
      current: async () => ({ version: 1, content: { ...lists, timeZone: 'Europe/Oslo' } }) as never,
    };
    const customers = { listReachable: async () => fixture.customers };
    const { keys } = fixture.orders.here;
    const sheets = new TicketSheets({ barcodes: fixture.here.barcodes, catalogue, customers, isProduction: true });
    pdfs = new TicketPdfs({ objects, keys, sheets });
    composer = new MailComposer({ keys, customers, mailings: { findAddress: async () => undefined }, sheets, pdfs });
  });
  beforeEach(async () => {
    await fixture.clear();
    const [stored] = await fixture.issue(await fixture.sell());
    assert.ok(stored);
    group = stored.group;
  });
  after(async () => {
    objects?.close();
    await fixture.close();
  });

  const reads = (number: CustomerNumber, language: TextLanguage) =>
    fixture.customers.set(number, { firstName: 'Berit', email: 'reader@example.no', language });
  const compose = async (recipient: CustomerNumber) => {
    const ticketId = theTicket(group).id;
    const mailing = { id: 'deliver/1', organisationId: OURS, orderId: group.orderId } as Mailing;
    const mail: TicketMail = {
      ...{ messageId: '1.1.1', recipient, tickets: [{ groupId: group.id, ticketId }] },
      ...{ state: 'DUE', attempts: 0, nextTryAt: fixture.now },
    };
    const composed = await composer.compose(mailing, mail, [group]);
    assert.ok(!('instead' in composed), JSON.stringify(composed));
    const [attached, ...others] = composed.attachments ?? [];
    assert.ok(attached);
    assert.equal(others.length, 0);
    return { ...composed, pdf: attached.content };
  };
  const languagesOf = (pdf: Uint8Array) => TEXT_LANGUAGES.filter((language) => isPdfIn(language, pdf));

  for (const language of TEXT_LANGUAGES) {
    it(`brings a PDF in ${language} to a reader of ${language}, whatever the holder reads`, async () => {
      await pdfs.store([{ group, ticket: theTicket(group) }]);
      reads(BERIT, language);
      const { html, pdf, to } = await compose(BERIT);
      assert.equal(to, 'reader@example.no');
      assert.match(html ?? '', new RegExp(`<html lang="${{ nob: 'nb', nno: 'nn', eng: 'en' }[language]}`));
      assert.deepEqual(languagesOf(pdf), [language]);
    });
  }

  it('brings the stored PDF where that is in its language', async () => {
    const shown = { group, ticket: theTicket(group) };
    await pdfs.store([shown]);
    reads(BERIT, 'nno');
    assert.deepEqual(Buffer.from((await compose(BERIT)).pdf), Buffer.from((await pdfs.read(shown)) ?? []));
  });

  it('stores a PDF that is missing, in the language of the holder', async () => {
    reads(ANNA, 'nno');
    reads(BERIT, 'eng');
    assert.deepEqual(languagesOf((await compose(BERIT)).pdf), ['eng']);
    const stored = await pdfs.read({ group, ticket: theTicket(group) });
    assert.deepEqual(languagesOf(stored ?? Buffer.of()), ['nno']);
  });
});
