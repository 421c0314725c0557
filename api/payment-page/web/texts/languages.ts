/** The languages of the customer's page, and which one a customer gets. Pure. */
import type { Text, TextLanguage } from '../../../../workflows/shared/text.ts';
import { chooseLanguage, type PageLanguages } from '../../../shared/pages/language.ts';
import { en } from './en.ts';
import { nb } from './nb.ts';
import { nn } from './nn.ts';
import type { PageTexts } from './page-texts.ts';

/** As `lang` has it. */
export type PageLanguage = 'nb' | 'nn' | 'en';

export const LANGUAGES: readonly PageLanguage[] = ['nb', 'nn', 'en'];
export const TEXTS: Readonly<Record<PageLanguage, PageTexts>> = { nb, nn, en };
export const TEXT_LANGUAGE: Readonly<Record<PageLanguage, TextLanguage>> = { nb: 'nob', nn: 'nno', en: 'eng' };

/** Every code that browsers send. */
const CODES: Readonly<Record<PageLanguage, PageLanguages<PageLanguage>[number]>> = {
  nb: ['nb', 'no'],
  nn: ['nn'],
  en: ['en'],
};
/** Where the browser prefers no language of the page: that of the other form of Norwegian, then any. */
const SIMILAR: Readonly<Record<TextLanguage, readonly TextLanguage[]>> = {
  nob: ['nob', 'nno', 'eng'],
  nno: ['nno', 'nob', 'eng'],
  eng: ['eng', 'nob', 'nno'],
};

export interface WantedLanguage {
  /** Of the address: the customer has chosen it on the page. */
  readonly wanted: string | null;
  /** `Accept-Language`. */
  readonly accepted: string | undefined;
  /** Of the contact's profile; unknown where there is no page to show. */
  readonly ofContact?: TextLanguage | undefined;
}

export function pageLanguage({ wanted, accepted, ofContact }: WantedLanguage): PageLanguage {
  const first = LANGUAGES.find((each) => TEXT_LANGUAGE[each] === ofContact) ?? 'nb';
  const codes = [first, ...LANGUAGES.filter((each) => each !== first)].map((each) => CODES[each]);
  return chooseLanguage(codes, wanted, accepted);
}

/** The text in the language of the page, or the one that its readers understand best. */
export function textIn(texts: readonly Text[], language: PageLanguage): Text | undefined {
  const found = SIMILAR[TEXT_LANGUAGE[language]].map((lang) => texts.find((text) => text.lang === lang));
  return found.find((text) => text !== undefined);
}

export function codeOf(lang: TextLanguage): PageLanguage {
  return LANGUAGES.find((each) => TEXT_LANGUAGE[each] === lang) ?? 'nb';
}
