/** The PDF of a ticket in the language that is wanted, whatever its customer prefers by now. */
import assert from 'node:assert/strict';
import { isPdfIn } from '../../../activities/shared/pdf/tagged-pdf.ts';
import { TicketPdfs } from '../../../activities/tickets/ticket-pdfs.ts';
import { TicketSheets } from '../../../activities/tickets/ticket-sheets.ts';
import { readPdf } from '../../../api/tickets/shown-pdfs.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { TEXT_LANGUAGES } from '../../../workflows/shared/text.ts';
import { ANNA, TicketFixture } from '../../activities/tickets/ticket-fixture.ts';
import { theTicket } from '../../support/sample-tickets.ts';
import { useObjectStore } from '../../support/stack.ts';

describe('the PDF of a ticket', () => {
  const fixture = new TicketFixture('shown-pdfs');
  let objects: ObjectStore;
  before(async () => {
    await fixture.open();
    objects = await ObjectStore.open(await useObjectStore());
    await fixture.clear();
  });
  after(async () => {
    objects?.close();
    await fixture.close();
  });

  it('is drawn in another language than its own, also after the customer has chosen that one', async () => {
    const [stored] = await fixture.issue(await fixture.sell({}));
    assert.ok(stored);
    const shown = { group: stored.group, ticket: theTicket(stored.group) };
    const lists = { organisations: [], userTypes: [], entitlements: [], distributionChannels: [] };
    const catalogue = {
      current: async () => ({ version: 1, content: { ...lists, timeZone: 'Europe/Oslo' } }) as never,
    };
    const customers = { listReachable: async () => fixture.customers };
    const { keys } = fixture.orders.here;
    const sheets = new TicketSheets({ barcodes: fixture.here.barcodes, catalogue, customers, isProduction: true });
    const pdfs = new TicketPdfs({ objects, keys, sheets });
    await pdfs.store([shown]);
    fixture.customers.set(ANNA, { firstName: 'Anna', surname: 'Ødegård', language: 'eng' });
    const dependencies = { pdfs, sheets, subjectKeys: keys };
    for (const language of TEXT_LANGUAGES) {
      const pdf = await readPdf(dependencies, shown, language);
      assert.deepEqual(
        TEXT_LANGUAGES.filter((each) => isPdfIn(each, pdf)),
        [language],
      );
    }
    const [sent, wanted] = [await pdfs.read(shown), await readPdf(dependencies, shown, 'nno')];
    assert.deepEqual(Buffer.from(wanted), Buffer.from(sent ?? []), 'as it was sent');
    assert.deepEqual(Buffer.from(await readPdf(dependencies, shown)), Buffer.from(wanted));
  });
});
