/** The mails that bring tickets and receipts. */
import assert from 'node:assert/strict';
import { renderReceiptMail } from '../../../../activities/receipts/pdf/receipt-mail.ts';
import type { RenderedMail } from '../../../../activities/shared/pdf/rendered-mail.ts';
import { renderTicketMail } from '../../../../activities/tickets/pdf/ticket-mail.ts';
import { TEXT_LANGUAGES, type TextLanguage } from '../../../../workflows/shared/text.ts';
import { receiptOf, refund } from '../../receipts/pdf/receipts.ts';
import { nineTravellers, sheetOf, zoneTicket } from './sheets.ts';

const TIME_ZONE = 'Europe/Oslo';

describe('the mail of tickets', () => {
  it('says in its subject what it brings, and for which journey', () => {
    assert.equal(renderTicketMail([sheetOf('nob')]).subject, 'Billett K7PQ2MZX: Oslo S – Bergen stasjon');
    const several = [sheetOf('eng'), sheetOf('eng'), zoneTicket('eng')];
    assert.equal(
      renderTicketMail(several).subject,
      'Tickets K7PQ2MZX: Oslo S – Bergen stasjon; 30-dagersbillett, Sone 1, Sone 2V, Sone 3Ø',
    );
    assert.match(renderTicketMail([sheetOf('nno', { specimen: true })]).subject, /^SPECIMEN: Billett /);
  });

  it('has the same facts in its text as in its HTML, for every ticket', () => {
    const { html, text } = renderTicketMail([nineTravellers('nob'), zoneTicket('nob')]);
    const shown = shownText(html);
    const facts = [
      'Đorđe Živković',
      '08:25',
      'Bergen stasjon',
      '43 (Áilu Ŋuorgŧu-Šávvon)',
      '899,00 kr',
      'Sone 2V',
      'Første klasse',
    ];
    assert.ok(text.startsWith('Billettene er vedlagt som PDF.'));
    for (const fact of facts) {
      for (const part of [plain(text), shown]) assert.ok(part.includes(fact), `${fact}\n${part}`);
    }
  });

  it('says that earlier tickets are valid no more, where it brings a successor', () => {
    const said = { nob: /gjelder ikke lenger/, nno: /gjeld ikkje lenger/, eng: /no longer valid/ };
    for (const language of TEXT_LANGUAGES) {
      const { html, text } = renderTicketMail([sheetOf(language), sheetOf(language, { isSuccessor: true })]);
      for (const part of [text, shownText(html)]) assert.match(part, said[language]);
      assert.doesNotMatch(renderTicketMail([sheetOf(language)]).text, said[language]);
    }
  });

  it('names supplements below the product', () => {
    const said = { nob: 'Tillegg', nno: 'Tillegg', eng: 'Supplements' };
    for (const language of TEXT_LANGUAGES) {
      const { html, text } = renderTicketMail([sheetOf(language, { supplements: ['Sykkel', 'Nistepakke'] })]);
      assert.match(text, new RegExp(`\\(Standard\\)\n${said[language]}: Sykkel, Nistepakke\n`));
      assert.ok(shownText(html).includes('Sykkel, Nistepakke'));
    }
  });

  it('names the number of travellers only by their names, and stays readable without HTML', () => {
    const { text } = renderTicketMail([sheetOf('nob')]);
    assert.equal(
      plain(text),
      plain(`Billetten er vedlagt som PDF. Vis strekkoden i kontroll, på skjerm eller papir.
Ta vare på e-posten til reisen er over.

Ordrenummer: K7PQ2MZX

Oslo S – Bergen stasjon
Tirsdag 24. november 2026, 08:25–14:57

Produkt: Enkeltbillett (Standard)
Gyldig fra: 24. nov. 2026 04:00
Gyldig til: 25. nov. 2026 04:00
Pris: 899,00 kr (herav mva. 12 %: 96,32 kr)
Reisende: Kari Nordmann (Voksen)

08:25 Oslo S
  F4 Bergen · Tog · Vogn 3, plass 42
14:57 Bergen stasjon

Billett 4503599627370497 · Utstedt av Samferd Tog AS 20. nov. 2026 11:15
`),
    );
  });
});

describe('places of a ticket', () => {
  it('are seats, couchettes or berths, also side by side in one carriage', () => {
    const placesIn = (language: TextLanguage) => {
      const sheet = sheetOf(language);
      const [leg] = sheet.legs;
      const seats = (['SLEEPER', 'SEATING', 'COUCHETTE', 'SLEEPER'] as const).map((accommodation, at) => ({
        carriageNumber: '5',
        seatNumber: String(11 + at),
        accommodation,
      }));
      const { text } = renderTicketMail([{ ...sheet, legs: [{ ...(leg ?? assert.fail()), seats }] }]);
      return /F4 Bergen · \w+ · (.*)/.exec(text)?.[1];
    };
    assert.deepEqual(TEXT_LANGUAGES.map(placesIn), [
      'Vogn 5, soveplass 11, 14 · Vogn 5, plass 12 · Vogn 5, liggeplass 13',
      'Vogn 5, soveplass 11, 14 · Vogn 5, plass 12 · Vogn 5, liggeplass 13',
      'Carriage 5, berths 11, 14 · Carriage 5, seat 12 · Carriage 5, couchette 13',
    ]);
  });
});

describe('zones of a ticket', () => {
  it('are called zones, unless their names say it', () => {
    const subjectOf = (names: readonly string[]) =>
      renderTicketMail([{ ...zoneTicket('nob'), zones: { names, allZones: false } }]).subject;
    assert.equal(subjectOf(['1', '2V']), 'Billett K7PQ2MZX: 30-dagersbillett, Soner 1, 2V');
    assert.equal(subjectOf(['1']), 'Billett K7PQ2MZX: 30-dagersbillett, Sone 1');
    assert.equal(subjectOf(['Sone 1', 'Indre by']), 'Billett K7PQ2MZX: 30-dagersbillett, Sone 1, Indre by');
    const everywhere = { ...zoneTicket('nob'), zones: { names: [], allZones: true } };
    assert.equal(renderTicketMail([everywhere]).subject, 'Billett K7PQ2MZX: 30-dagersbillett, Alle soner');
    // Too many zones for a title leave the product.
    const names = ['1', '2', '3', '4', '5'];
    assert.equal(subjectOf(names), 'Billett K7PQ2MZX: 30-dagersbillett');
  });
});

describe('the mail of a receipt', () => {
  it('says in its subject which receipt it brings', () => {
    const options = { copy: false, language: 'nob', timeZone: TIME_ZONE } as const;
    assert.equal(renderReceiptMail(receiptOf(), options).subject, 'Kvittering 1-2026-1017: ordrenummer K7PQ2MZX');
    const copy = renderReceiptMail(receiptOf(), { ...options, copy: true, language: 'eng' });
    assert.equal(copy.subject, 'Receipt 1-2026-1017 (copy): order number K7PQ2MZX');
    assert.ok(copy.text.includes('Copy of the receipt'));
  });

  it('has the same facts in its text as in its HTML', () => {
    const { html, text } = renderReceiptMail(refund(), { copy: false, language: 'nob', timeZone: TIME_ZONE });
    for (const fact of [
      '1-2026-1017',
      'Refusjon',
      '−1 798,00 kr',
      '12 %',
      '−192,64 kr',
      '1111',
      '915 123 456 MVA',
      'K7PQ2MZX',
    ]) {
      for (const part of [plain(text), shownText(html)]) assert.ok(part.includes(fact), `${fact}\n${part}`);
    }
  });
});

describe('mails', () => {
  const mails: readonly RenderedMail[] = TEXT_LANGUAGES.flatMap((language) => [
    renderTicketMail([sheetOf(language), zoneTicket(language)]),
    renderReceiptMail(receiptOf({ language }), { copy: false, language, timeZone: TIME_ZONE }),
  ]);

  it('have no images and fetch nothing', () => {
    for (const { html } of mails) assert.doesNotMatch(html, /<img|<link|<script|url\(|https?:|src=|@import/i);
  });

  it('name their language, and suit light and dark screens', () => {
    assert.deepEqual(
      mails.map(({ html }) => /<html lang="(..)">/.exec(html)?.[1]),
      ['nb', 'nb', 'nn', 'nn', 'en', 'en'],
    );
    for (const { html } of mails) {
      assert.ok(html.includes('<meta name="color-scheme" content="light dark">'));
      assert.ok(html.includes('prefers-color-scheme: dark'));
    }
  });

  it('show what a name says, and do not run it', () => {
    const evil = '<script>alert("1")</script> & sons';
    const { html } = renderTicketMail([
      sheetOf('nob', { issuer: evil, travellers: [{ name: evil, userType: 'Voksen', entitlements: [] }] }),
    ]);
    assert.doesNotMatch(html, /<script/);
    assert.ok(html.includes('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; sons'));
  });

  it('have subjects of one line', () => {
    const zones = { names: ['Sone 1\r\nBcc: x@example.com'], allZones: false };
    const { subject } = renderTicketMail([sheetOf('nob', { legs: [], zones })]);
    assert.doesNotMatch(subject, /[\r\n]/);
  });
});

function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}

function shownText(html: string): string {
  return plain(html.replace(/<style>[\s\S]*<\/style>/, '').replaceAll(/<[^>]+>/g, ' '));
}
