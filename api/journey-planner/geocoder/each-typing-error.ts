/** Variants of a word with one typing error: a letter missing, added or wrong, or two letters swapped. Pure. */
const FIRST_LETTER = 97;
const LETTERS = 26;

/** Reuses one array: `take` must not keep it. The word itself may come too. */
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
  // At the end a letter more is a longer prefix: found already.
  for (let at = 0; at < length; at++) {
    scratch.set(word.subarray(0, at));
    scratch.set(word.subarray(at), at + 1);
    for (let letter = 0; letter < LETTERS; letter++) {
      scratch[at] = FIRST_LETTER + letter;
      take(scratch, length + 1);
    }
  }
}
