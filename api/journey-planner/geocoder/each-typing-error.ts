/**
 * Visits the variants of a word with one typing error: a missing, added or wrong letter, or two swapped letters. The
 * function is pure.
 */
const FIRST_LETTER = 97;
const LETTERS = 26;

/** All calls share one array, so `take` must not keep it. The word itself may occur too. */
export function eachTypingError(word: Uint8Array, take: (bytes: Uint8Array, length: number) => void): void {
  const scratch = new Uint8Array(word.length + 1);
  const { length } = word;
  for (let at = 0; at < length; at++) {
    scratch.set(word.subarray(0, at));
    scratch.set(word.subarray(at + 1), at);
    take(scratch, length - 1);
  }
  for (let at = 0; at + 1 < length; at++) {
    if (word[at] === word[at + 1]) continue;
    scratch.set(word);
    scratch[at] = word[at + 1] as number;
    scratch[at + 1] = word[at] as number;
    take(scratch, length);
  }
  for (let at = 0; at < length; at++) {
    scratch.set(word);
    for (let letter = 0; letter < LETTERS; letter++) {
      if (word[at] === FIRST_LETTER + letter) continue;
      scratch[at] = FIRST_LETTER + letter;
      take(scratch, length);
    }
  }
  // A letter added at the end makes a longer prefix, which the search finds anyway.
  for (let at = 0; at < length; at++) {
    scratch.set(word.subarray(0, at));
    scratch.set(word.subarray(at), at + 1);
    for (let letter = 0; letter < LETTERS; letter++) {
      scratch[at] = FIRST_LETTER + letter;
      take(scratch, length + 1);
    }
  }
}
