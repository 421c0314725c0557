/** Texts of documents: what can be printed, where lines break, how amounts and times read. */
import assert from 'node:assert/strict';
import { printable } from '../../../../activities/shared/pdf/faces.ts';
import { formatsOf, textIn } from '../../../../activities/shared/pdf/formats.ts';
import { breakLines } from '../../../../activities/shared/pdf/paragraphs.ts';

describe('a printed text', () => {
  it('keeps the letters of Europe', () => {
    for (const name of [
      'Áilu Ŋuorgŧu',
      'Đorđe Živković',
      'Þórdís',
      'Zażółć gęślą jaźń',
      'Νίκος',
      'Жанна',
      'Nguyễn Thị Hạnh',
    ]) {
      assert.equal(printable(name), name);
    }
  });

  it('composes letters and joins white space', () => {
    assert.equal(printable(' A\u030angstro\u0308m \t og\n mer '), 'Ångström og mer');
    assert.equal(printable('soft\u00adhyphen\u0000\u200b'), 'softhyphen');
  });

  it('shows a box for what the typeface lacks', () => {
    assert.equal(printable('王 Wang 😀'), '□ Wang □');
  });

  it('breaks between words, and within those that are too long', () => {
    const widthOf = (part: string) => part.length;
    assert.deepEqual(breakLines('to be or not', 5, widthOf), ['to be', 'or', 'not']);
    assert.deepEqual(breakLines('a wolfeschlegel', 5, widthOf), ['a', 'wolfe', 'schle', 'gel']);
    assert.deepEqual(breakLines('', 5, widthOf), ['']);
  });
});

describe('formats of documents', () => {
  const at = new Date('2026-11-24T23:30:00Z');
  const plain = (text: string) => text.replace(/\s/g, ' ');

  it('show times in their zone', () => {
    assert.equal(formatsOf('nob', 'Europe/Oslo').dayAndTime(at), '25. nov. 2026 00:30');
    assert.equal(formatsOf('nob', 'UTC').longDay(at), 'tirsdag 24. november 2026');
    assert.equal(formatsOf('nno', 'UTC').longDay(at), 'tysdag 24. november 2026');
    assert.equal(formatsOf('eng', 'UTC').weekday(at), 'Tuesday, 24 Nov 2026');
  });

  it('have the decimals of the currency', () => {
    const { money, percent } = formatsOf('nob', 'UTC');
    assert.equal(plain(money(123_456_789, 'NOK')), '1 234 567,89 kr');
    assert.equal(plain(money(-500, 'JPY')), '−500 JPY');
    assert.equal(plain(formatsOf('eng', 'UTC').money(-5, 'NOK')), '−NOK 0.05');
    assert.equal(plain(percent(1_111)), '11,11 %');
  });

  it('take the text that readers understand best', () => {
    const texts = [
      { lang: 'eng', value: 'Ticket' },
      { lang: 'nob', value: 'Billett' },
    ] as const;
    assert.equal(textIn(texts, 'nno'), 'Billett');
    assert.equal(textIn(texts.slice(0, 1), 'nob'), 'Ticket');
    assert.equal(textIn([], 'nob'), '');
  });
});
