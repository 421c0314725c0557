/** Texts in several languages. Types and their languages. */

/** ISO 639-3. */
export type TextLanguage = 'nob' | 'nno' | 'eng';
export const TEXT_LANGUAGES: readonly TextLanguage[] = ['nob', 'nno', 'eng'];

export interface Text {
  readonly lang: TextLanguage;
  readonly value: string;
}
