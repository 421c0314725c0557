/** The search for remains must find what a plain search finds: at each end, beside zeros, and in every place of a block. */
import assert from 'node:assert/strict';
import { ManyTexts } from './many-texts.ts';

const TEXTS = ['Ødegård', 'kari@example.org', 'Kar', '+4790000000'];
const NEEDLES = TEXTS.flatMap((text) => [
  { text, form: 'as it is', bytes: Buffer.from(text) },
  { text, form: 'UTF-16', bytes: Buffer.from(text, 'utf16le') },
]);
const BYTES = 5_000;

const findPlainly = (bytes: Buffer, needles = NEEDLES) => [
  ...new Set(needles.filter(({ bytes: needle }) => bytes.includes(needle)).map(({ text }) => text)),
];
const find = (bytes: Buffer, needles = NEEDLES) => new ManyTexts(needles).find(bytes).map(({ text }) => text);

describe('the search for many texts', () => {
  for (const filling of [0, 'K'.charCodeAt(0)]) {
    it(`finds a text at any place among bytes of ${filling}`, () => {
      const search = new ManyTexts(NEEDLES);
      for (const { text, bytes: needle } of NEEDLES) {
        for (let at = 0; at <= BYTES - needle.length; at += 1) {
          const bytes = Buffer.alloc(BYTES, filling);
          needle.copy(bytes, at);
          assert.ok(
            search.find(bytes).some((found) => found.text === text),
            `${text} at ${at}`,
          );
        }
      }
    });
  }

  it('finds what begins with zeros among zeros', () => {
    const needles = [{ text: 'zeros', form: 'as it is', bytes: Buffer.from([0, 0, 0, 7]) }];
    for (const at of [0, 1_023, 1_024, 1_025, 4_996]) {
      const bytes = Buffer.alloc(BYTES);
      bytes[at + 3] = 7;
      assert.deepEqual(find(bytes, needles), ['zeros'], String(at));
    }
    assert.deepEqual(find(Buffer.alloc(BYTES), needles), []);
  });

  it('finds no text that is cut off or differs in one byte', () => {
    for (const { bytes: needle } of NEEDLES) {
      for (const bytes of [needle.subarray(0, -1), needle.subarray(1), Buffer.from(needle).fill(1, 2, 3)]) {
        assert.deepEqual(find(bytes).sort(), findPlainly(bytes).sort());
      }
    }
  });
});
