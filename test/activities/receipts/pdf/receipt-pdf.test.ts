/** Receipts as PDF, as independent programs read them. */
import assert from 'node:assert/strict';
import { renderReceipt } from '../../../../activities/receipts/pdf/receipt-pdf.ts';
import type { ReceiptOptions } from '../../../../activities/receipts/pdf/receipt-view.ts';
import type { Receipt } from '../../../../workflows/receipts/rules/receipt.ts';
import { type ReadPdf, readPdfs } from '../../../support/read-pdfs.ts';
import { manyLines, paidOtherwise, receiptOf, refund, withSupplements } from './receipts.ts';

const NORWEGIAN: ReceiptOptions = { copy: false, language: 'nob', timeZone: 'Europe/Oslo' };
const DOCUMENTS: Readonly<Record<string, readonly [Receipt, ReceiptOptions]>> = {
  sale: [receiptOf(), NORWEGIAN],
  nynorsk: [receiptOf(), { ...NORWEGIAN, language: 'nno' }],
  refund: [refund(), { ...NORWEGIAN, language: 'eng' }],
  otherwise: [paidOtherwise(), NORWEGIAN],
  'otherwise, nynorsk': [paidOtherwise(), { ...NORWEGIAN, language: 'nno' }],
  'otherwise, English': [paidOtherwise(), { ...NORWEGIAN, language: 'eng' }],
  copy: [receiptOf(), { ...NORWEGIAN, copy: true }],
  many: [manyLines(), NORWEGIAN],
  supplements: [withSupplements(), NORWEGIAN],
};

describe('receipts as PDF', () => {
  const documents = new Map<string, ReadPdf>();

  before(async () => {
    const bytes = await Promise.all(
      Object.values(DOCUMENTS).map(([receipt, options]) => renderReceipt(receipt, options)),
    );
    const read = await readPdfs(bytes);
    for (const [at, name] of Object.keys(DOCUMENTS).entries()) documents.set(name, read[at] as ReadPdf);
  });

  function readOf(name: string): ReadPdf {
    const found = documents.get(name);
    assert.ok(found, name);
    return found;
  }

  /** Texts below a path, in the order of reading. */
  function textsOf(name: string, path: string): readonly string[] {
    const all = readOf(name).pages.flatMap(({ structure }) => structure);
    return all.filter(([at]) => at === `/Document/${path}`).map(([, text]) => text.trim());
  }

  it('name seller, number, order and time', () => {
    assert.deepEqual(textsOf('sale', 'H1'), ['Kvittering']);
    assert.deepEqual(textsOf('sale', 'L/LI/LBody'), ['1-2026-1017', 'K7PQ2MZX', '20. nov. 2026 11:15']);
    assert.deepEqual(textsOf('sale', 'P'), [
      'Kjøp',
      'Samferd Tog AS',
      'Org.nr. 915 123 456 MVA',
      'Jernbanetorget 1',
      '0154 Oslo',
      'kundeservice@samferd.example',
    ]);
    assert.equal(readOf('sale').title, 'Kvittering 1-2026-1017');
  });

  it('name no card where the seller has paid back in another way', () => {
    const said = ['otherwise', 'otherwise, nynorsk', 'otherwise, English'].map(
      (name) => textsOf(name, 'Table/TR/TD').at(-2) ?? '',
    );
    assert.deepEqual(said, ['Betalt på annen måte', 'Betalt på annan måte', 'Paid in another way']);
  });

  it('have tables of lines, tax for each rate, and payments', () => {
    assert.deepEqual(textsOf('sale', 'H2'), ['Hva det gjelder', 'Merverdiavgift', 'Betalt']);
    assert.deepEqual(textsOf('sale', 'Table/TR/TH'), [
      ...['Beskrivelse', 'Beløp med mva.'],
      ...['Sats', 'Grunnlag', 'Avgift'],
      ...['Dato', 'Betalingsmåte', 'Beløp'],
    ]);
    assert.deepEqual(textsOf('sale', 'Table/TR/TD'), [
      ...['Enkeltbillett Oslo S – Bergen stasjon 2 reisende', '1 798,00 kr'],
      ...['Bestillingsgebyr', '50,00 kr'],
      ...['Sum', '1 848,00 kr'],
      ...['25 %', '40,00 kr', '10,00 kr'],
      ...['12 %', '1 605,36 kr', '192,64 kr'],
      ...['20. nov. 2026 11:15', 'Betalingskort, Visa kort som slutter på 1111', '1 848,00 kr'],
    ]);
  });

  it('name supplements below the description of their line', () => {
    const [first, , second] = textsOf('supplements', 'Table/TR/TD');
    assert.equal(first, 'Enkeltbillett Oslo S – Bergen stasjon Tillegg: 2 × Sykkel, Nistepakke · 2 reisende');
    assert.equal(second, 'Bestillingsgebyr');
  });

  it('show what is paid back with a minus, and by which card', () => {
    assert.deepEqual(textsOf('refund', 'H2'), ['What it is for', 'Value added tax', 'Paid back']);
    assert.deepEqual(textsOf('refund', 'Table/TR/TD'), [
      ...['Single ticket Oslo S – Bergen stasjon 2 travellers', '−NOK 1,798.00'],
      ...['Total', '−NOK 1,798.00'],
      ...['12%', '−NOK 1,605.36', '−NOK 192.64'],
      ...['22 Nov 2026 09:00', 'Payment card, Visa card ending in 1111', 'NOK 1,798.00'],
    ]);
  });

  it('say that a copy is one, in print and to those who do not see it', () => {
    const [page] = readOf('copy').pages;
    assert.ok(page?.text.includes('KOPI'));
    assert.ok(textsOf('copy', 'P').includes('Kopi av kvitteringen'));
    assert.deepEqual(textsOf('copy', 'L/LI/LBody'), textsOf('sale', 'L/LI/LBody'));
    assert.ok(!readOf('sale').pages[0]?.text.toLowerCase().includes('kopi'));
  });

  it('go on on further pages', () => {
    assert.ok(readOf('many').pages.length > 1);
    assert.equal(textsOf('many', 'Table/TR/TD').filter((text) => text.startsWith('Enkeltbillett')).length, 40);
  });

  it('keep the rules of PDF/UA, with nothing outside their structure', () => {
    for (const [name, { faults, pages }] of documents) {
      assert.deepEqual(faults, [], name);
      for (const { loose } of pages) assert.equal(loose, 0, name);
    }
  });

  it('have the same bytes each time', async () => {
    const [receipt, options] = [refund(), NORWEGIAN];
    const first = await renderReceipt(receipt, options);
    await renderReceipt(receiptOf({ orderId: 'ZZZZ2345' as Receipt['orderId'] }), options);
    assert.deepEqual(await renderReceipt(receipt, options), first);
  });
});
