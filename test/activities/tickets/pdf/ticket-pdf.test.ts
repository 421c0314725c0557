/** Tickets as PDF, as independent programs read them: text, structure, PDF/UA, symbols. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { regular } from '../../../../activities/shared/pdf/styles.ts';
import { TaggedPdf } from '../../../../activities/shared/pdf/tagged-pdf.ts';
import { renderTickets } from '../../../../activities/tickets/pdf/ticket-pdf.ts';
import type { TicketSheet } from '../../../../activities/tickets/pdf/ticket-sheet.ts';
import { TEXT_LANGUAGES } from '../../../../workflows/shared/text.ts';
import { type ReadPdf, readPdfs } from '../../../support/read-pdfs.ts';
import { run } from '../../../support/run.ts';
import { barcodeOf, manyLegs, manyOfAll, manyZones, nineTravellers, sheetOf, zoneTicket } from './sheets.ts';

const ISSUED_AT = new Date('2026-11-20T10:15:30Z');
const LEAST_SYMBOL_MM = 30;

const MANY = manyOfAll('eng');

/** What the documents are made of. */
const DOCUMENTS: Readonly<Record<string, readonly TicketSheet[]>> = {
  ...Object.fromEntries(TEXT_LANGUAGES.map((language) => [language, [sheetOf(language)]])),
  nine: [nineTravellers('nob')],
  legs: [manyLegs('nno')],
  zones: [zoneTicket('eng')],
  supplements: [sheetOf('eng', { supplements: ['2 × Bicycle', 'Packed lunch'] })],
  manyZones: [manyZones('nob')],
  largestSymbol: [sheetOf('nob', { barcode: barcodeOf(1_400) })],
  several: [sheetOf('nob', { specimen: true }), zoneTicket('nob'), manyLegs('nob')],
};

describe('tickets as PDF', () => {
  const documents = new Map<string, { readonly bytes: Uint8Array; readonly read: ReadPdf }>();

  before(async () => {
    const names = [...Object.keys(DOCUMENTS), 'many', 'control'];
    const rendered = [...Object.values(DOCUMENTS), [MANY]].map(renderTickets);
    const bytes = await Promise.all([...rendered, faultyDocument()]);
    const read = await readPdfs(bytes);
    for (const [at, name] of names.entries()) {
      documents.set(name, { bytes: bytes[at] as Uint8Array, read: read[at] as ReadPdf });
    }
  });

  function readOf(name: string): ReadPdf {
    const found = documents.get(name);
    assert.ok(found, name);
    return found.read;
  }

  it('hold every fact in their text', () => {
    for (const [name, sheets] of Object.entries(DOCUMENTS)) {
      for (const [at, sheet] of sheets.entries()) {
        const text = joined(readOf(name).pages[at]?.text ?? '');
        for (const fact of factsOf(sheet)) assert.ok(text.includes(joined(fact)), `${name}: ${fact}\n${text}`);
      }
    }
  });

  it('speak the language of the ticket', () => {
    const said = { nob: 'Gyldig fra', nno: 'Gyldig frå', eng: 'Valid from' };
    const days = {
      nob: 'Tirsdag 24. november 2026',
      nno: 'Tysdag 24. november 2026',
      eng: 'Tuesday, 24 November 2026',
    };
    const prices = { nob: '899,00 kr', nno: '899,00 kr', eng: 'NOK 899.00' };
    const tags = { nob: 'nb-NO', nno: 'nn-NO', eng: 'en-GB' };
    for (const language of TEXT_LANGUAGES) {
      const read = readOf(language);
      const text = read.pages[0]?.text ?? '';
      for (const words of [said, days, prices])
        assert.ok(text.includes(words[language]), `${words[language]}\n${text}`);
      assert.equal(read.language, tags[language]);
    }
  });

  it('name supplements below the product, where there are any', () => {
    const text = joined(readOf('supplements').pages[0]?.text ?? '');
    assert.match(text, /Single ticket Standard Supplements 2 × Bicycle, Packed lunch Valid from/);
    assert.ok(!readOf('eng').pages[0]?.text.includes('Supplements'));
  });

  it('have a page for each ticket', () => {
    for (const [name, sheets] of Object.entries(DOCUMENTS))
      assert.equal(readOf(name).pages.length, sheets.length, name);
  });

  it('keep the rules of PDF/UA, with nothing outside their structure', () => {
    for (const name of Object.keys(DOCUMENTS)) {
      const { faults, pages } = readOf(name);
      assert.deepEqual(faults, [], name);
      for (const { loose } of pages) assert.equal(loose, 0, name);
    }
  });

  it('are read in the order of their sense', () => {
    const { title, pages } = readOf('eng');
    assert.equal(title, 'Ticket K7PQ2MZX');
    const structure = pages[0]?.structure.map(([path, text]) => [path.replace('/Document/Sect/', ''), text.trim()]);
    assert.deepEqual(structure, [
      ['P', 'Samferd Tog AS'],
      ['P', 'Order number K7PQ2MZX'],
      ['H1', 'Oslo S – Bergen stasjon'],
      ['P', 'Tuesday, 24 November 2026, 08:25–14:57'],
      ['L/LI/Lbl', 'Product'],
      ['L/LI/LBody', 'Single ticket Standard'],
      ['L/LI/Lbl', 'Valid from'],
      ['L/LI/LBody', '24 Nov 2026 04:00'],
      ['L/LI/Lbl', 'Valid until'],
      ['L/LI/LBody', '25 Nov 2026 04:00'],
      ['L/LI/Lbl', 'Price'],
      ['L/LI/LBody', 'NOK 899.00 of which VAT 12%: NOK 96.32'],
      ['Figure', 'Aztec barcode, which inspectors read. It belongs to ticket 4503599627370497.'],
      ['P', 'Show this code for inspection'],
      ['H2', 'Travellers'],
      ['L/LI/LBody', 'Kari Nordmann Adult'],
      ['H2', 'Your journey'],
      ['L/LI/LBody/P', '08:25'],
      ['L/LI/LBody/P', 'Oslo S'],
      ['L/LI/LBody/P', 'F4 Bergen · Train'],
      ['L/LI/LBody/P', 'Carriage 3, seat 42'],
      [
        'L/LI/LBody/P',
        'Via Drammen 09:00 · Hønefoss 09:56 · Nesbyen 10:57 · Gol 11:11 · Ål 11:32 · Geilo 11:53 · Finse 12:37 · Myrdal 13:02 · Voss 13:46 · Arna 14:47',
      ],
      ['L/LI/LBody/P', '14:57'],
      ['L/LI/LBody/P', 'Bergen stasjon'],
      ['P', 'Ticket 4503599627370497 · Issued by Samferd Tog AS 20 Nov 2026 11:15'],
    ]);
  });

  it('have symbols that others read, from a print at 150 dpi and from a photo', () => {
    for (const [name, sheets] of Object.entries(DOCUMENTS)) {
      for (const [at, sheet] of sheets.entries()) {
        const symbol = readOf(name).pages[at]?.symbol;
        const hex = Buffer.from(sheet.barcode).toString('hex');
        assert.ok(symbol, name);
        assert.deepEqual([symbol.printed, symbol.photo], [hex, hex], name);
        assert.ok(symbol.sideMm >= LEAST_SYMBOL_MM, `${name}: ${symbol.sideMm} mm`);
        // A module at least; the modules of the largest one have 0.6 mm.
        assert.ok(symbol.quietMm >= 2, `${name}: ${symbol.quietMm} mm`);
      }
    }
  });

  it('say that a specimen is not valid, in print and to those who do not see it', () => {
    const [specimen, other] = readOf('several').pages;
    assert.ok(specimen);
    assert.ok(specimen.text.includes('SPECIMEN'));
    assert.ok(
      specimen.structure.some(([path, text]) => path.endsWith('/P') && text === 'SPECIMEN. Ikke gyldig for reise.'),
    );
    assert.ok(!other?.text.toLowerCase().includes('specimen'));
  });

  it('have the same bytes in every process, whatever it has printed before', async () => {
    const source = `
      const { renderTickets } = await import('./activities/tickets/pdf/ticket-pdf.ts');
      const { manyLegs, nineTravellers, sheetOf } = await import('./test/activities/tickets/pdf/sheets.ts');
      const { createHash } = await import('node:crypto');
      // The first words that a typeface shows must not change the ones after them.
      await renderTickets([sheetOf('nob', { issuer: 'ʼA\\u00a0Ω\\u2206ˮ ﬁ', productName: "Ta' – med’" })]);
      // Nor must a letter that is drawn as a part of another one, as the O of an Ø.
      const area = { legs: [], zones: { names: ['Ø'], allZones: false }, orderId: 'ÑØÉ', travellers: [] };
      await renderTickets([sheetOf('nob', { ...area, issuer: 'Øst', productName: 'Ø' })]);
      for (const sheet of [manyLegs('nno'), nineTravellers('nob')]) {
        console.log(createHash('sha256').update(await renderTickets([sheet])).digest('hex'));
      }`;
    const printed = await run(process.execPath, ['--input-type=module', '--eval', source]);
    const expected = ['legs', 'nine'].map((name) => {
      const bytes = documents.get(name)?.bytes;
      assert.ok(bytes);
      return createHash('sha256').update(bytes).digest('hex');
    });
    assert.deepEqual(printed.trim().split('\n'), expected);
  });

  it('go on on a further page rather than leave something out', () => {
    const { pages, faults } = readOf('many');
    assert.ok(pages.length > 1);
    assert.deepEqual(faults, []);
    const text = joined(pages.map((page) => page.text).join('\n'));
    for (const fact of factsOf(MANY)) assert.ok(text.includes(joined(fact)), fact);
  });

  it('would be found faulty with a text outside the structure', () => {
    const { pages, faults } = readOf('control');
    assert.equal(pages[0]?.loose, 1);
    assert.ok(
      faults.some((fault) => fault.startsWith('PDFUA1-CONTENT-TAGGING')),
      faults.join('\n'),
    );
  });
});

function faultyDocument(): Promise<Uint8Array> {
  const pdf = new TaggedPdf({ title: 'Control', language: 'eng', createdAt: ISSUED_AT });
  pdf.addPage();
  pdf.put('Nobody reads this', 50, 50, regular(12));
  pdf.element('H1', () => pdf.mark(() => pdf.put('Heading', 50, 80, regular(12))));
  return pdf.finish();
}

/** Lines break anywhere between words. */
function joined(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function factsOf(sheet: TicketSheet): readonly string[] {
  const time = (at: Date | undefined) => (at === undefined ? [] : [clock(at, sheet.timeZone)]);
  const calls = sheet.legs.flatMap(({ from, to, via }) => [from, to, ...via]);
  const seats = sheet.legs.flatMap((leg) => leg.seats);
  return [
    sheet.ticketId,
    sheet.orderId,
    sheet.issuer,
    sheet.productName,
    ...sheet.supplements,
    ...sheet.travellers.flatMap(({ name, userType, entitlements }) => [name ?? userType, userType, ...entitlements]),
    ...calls.flatMap(({ name, time: at }) => [name, ...time(at)]),
    ...sheet.legs.map(({ line }) => line),
    ...seats.map(({ seatNumber, traveller }) =>
      traveller === undefined ? seatNumber : `${seatNumber} (${traveller})`,
    ),
    ...time(sheet.startOfValidity),
    ...time(sheet.endOfValidity),
    ...(sheet.zones?.names ?? []),
    (sheet.price.amountMinor / 100).toFixed(0),
  ];
}

function clock(at: Date, timeZone: string): string {
  return at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
}
