/** Texts in several languages. Types and pure functions. */

/** ISO 639-3. */
export type TextLanguage = 'nob' | 'nno' | 'eng';
export const TEXT_LANGUAGES: readonly TextLanguage[] = ['nob', 'nno', 'eng'];

export interface Text {
  readonly lang: TextLanguage;
  readonly value: string;
}

const CLOSEST: Readonly<Record<TextLanguage, TextLanguage>> = { nob: 'nno', nno: 'nob', eng: 'nob' };

/** The text in this language, else in the closest one, else the first. Empty when there is none. */
export function textIn(language: TextLanguage, texts: readonly Text[]): string {
  const inLanguage = (wanted: TextLanguage) => texts.find(({ lang }) => lang === wanted);
  return (inLanguage(language) ?? inLanguage(CLOSEST[language]) ?? texts[0])?.value ?? '';
}
