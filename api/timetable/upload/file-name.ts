/**
 * The name a provider gives its archive. It is shown and sent back, never used as a path or a key, so it only has to be
 * harmless wherever it is printed.
 */
const DEFAULT_NAME = 'dataset.zip';
const MAX_CHARACTERS = 200;
/** Controls, line separators, and marks that reverse the direction of text, so that `gpj.zip` reads otherwise. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const PATH_OR_SHELL = /[/\\:*?"<>|]/g;

export function cleanFileName(given: string | undefined): string {
  const lastPart = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const clean = lastPart.normalize('NFC').replace(UNPRINTABLE, '').replace(PATH_OR_SHELL, '_').trim();
  const name = clean.replace(/^\.+/, '');
  return name === '' ? DEFAULT_NAME : shorten(name);
}

/** Shortens the stem, so that the extension stays. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const ending = /\.\w{1,8}$/u.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_CHARACTERS - [...ending].length).join('') + ending;
}
