/**
 * Writes the demo's texts under another codespace, so that someone can upload them as a timetable of their own. The
 * stops stay those of the register. Caller: generate.ts.
 */

const CODESPACE = /^[a-z]{3}$/;

/** Throws when the codespace is not three small letters. */
export function expectCodespace(codespace: string): void {
  if (!CODESPACE.test(codespace)) throw new Error(`The codespace must be three letters from a to z, not ${codespace}`);
}

/** For names of files, whose parts `_` separates. */
export function renameFor(codespace: string, name: string): string {
  return name.replaceAll('DEM', codespace.toUpperCase());
}

/** Joins the texts of a file, because an id may lie across two. */
export function* rewriteFor(codespace: string, texts: Iterable<string>): Generator<string> {
  const whole = [...texts].join('');
  yield whole
    .replaceAll(/\bDEM\b/g, codespace.toUpperCase())
    .replaceAll('"dem"', `"${codespace}"`)
    .replaceAll('/ns/dem<', `/ns/${codespace}<`);
}
