/**
 * Folds words for comparison: lower case and no diacritics. Letters with several spellings get one form (å and aa; ø, ö
 * and oe; æ, ä and ae). Names and search texts must both pass through it. The functions are pure.
 */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'a',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ß: 'ss',
  þ: 'th',
  ŋ: 'n',
  ı: 'i',
  œ: 'o',
  ŧ: 't',
  ħ: 'h',
};
const SPECIAL = /[æøđðłßþŋıœŧħ]/g;
const MARKS = /\p{M}+/gu;
const DOUBLED = /aa|ae|oe/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

export function foldWords(text: string): readonly string[] {
  const folded = text
    .toLowerCase()
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(/[’'´`]/g, '')
    .replace(DOUBLED, (pair) => pair.charAt(0));
  return folded.split(BETWEEN_WORDS).filter((word) => word !== '');
}
