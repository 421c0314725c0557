/**
 * The typeface of all documents: Inter, which covers the languages of Europe. A process parses it once and shares it: parsing takes
 * longer than a page.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

export type Face = 'regular' | 'semibold';

const FILES: Readonly<Record<Face, string>> = {
  regular: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  semibold: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
};
/** No change of letters by their neighbours. Numbers have digits of equal width, so that times and amounts stand below each other. */
const WORD_FEATURES: Readonly<Record<string, boolean>> = { calt: false };
const NUMBER_FEATURES: Readonly<Record<string, boolean>> = { calt: false, tnum: true };
const NUMBER = /^[\d.,:\s\u2212–]+$/;
/** Shown for characters that the typeface does not have. */
const UNKNOWN = '\u25a1';
/** Characters that share a glyph with another one. Read back from the document, all of them would be one of the two. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['\u02bc', '\u2019'],
  ['\u02ee', '\u201d'],
  ['\u2206', '\u0394'],
  ['\u0269', '\u03b9'],
]);

const resolve = createRequire(import.meta.url).resolve;
const fonts = new Map<Face, Font>();

export function fontOf(face: Face): Font {
  const font = fonts.get(face) ?? openFont(face);
  fonts.set(face, font);
  return font;
}

function openFont(face: Face): Font {
  const font = create(readFileSync(resolve(FILES[face])));
  if (!('layout' in font)) throw new Error(`${FILES[face]} is no single font`);
  // A glyph keeps the characters of its first use. One that was first used as a part of another glyph, as O in Ø, would have none.
  for (const character of font.characterSet) if (isReadBack(character)) font.glyphForCodePoint(character);
  // The layout engine writes into the features that it is given.
  const layout: Font['layout'] = (text) =>
    font.layout(text, { ...(NUMBER.test(text) ? NUMBER_FEATURES : WORD_FEATURES) });
  return Object.create(font, { layout: { value: layout } });
}

/** Other forms of glyphs, as digits of equal width, have private characters too, but stand for others. */
function isReadBack(codePoint: number): boolean {
  const character = String.fromCodePoint(codePoint);
  return !TWINS.has(character) && !/\p{Co}/u.test(character);
}

/** The text as it is printed: one line, composed letters, without characters that the typeface lacks. No-break spaces stay. */
export function printable(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[^\S\u00a0]+/g, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  return Array.from(plain, (character) => {
    const shown = TWINS.get(character) ?? character;
    return fontOf('regular').hasGlyphForCodePoint(shown.codePointAt(0) ?? 0) ? shown : UNKNOWN;
  }).join('');
}
