/** The language of one answer, with its words and formats. Types only. */
import type { Formats } from './formats.ts';
import type { PageLanguage } from './texts/languages.ts';
import type { PageTexts } from './texts/page-texts.ts';

export interface PageWords {
  readonly language: PageLanguage;
  readonly texts: PageTexts;
  readonly formats: Formats;
}
