/** Chooses the language of a page: what the address wants, else what the browser prefers. Pure. */
import Negotiator from 'negotiator';

/** Languages of a page with every code that browsers send for them, the fallback first. */
export type PageLanguages<Language extends string> = readonly (readonly [Language, ...(readonly string[])])[];

/** Norwegian of either form is answered in Bokmål. */
export const ENGLISH_FIRST: PageLanguages<'en' | 'nb'> = [['en'], ['nb', 'nn', 'no']];
export const BOKMAL_FIRST: PageLanguages<'en' | 'nb'> = [['nb', 'nn', 'no'], ['en']];

/** `wanted`: of the address. The first language of `offered` where nothing fits. */
export function chooseLanguage<Language extends string>(
  offered: PageLanguages<Language>,
  wanted: string | null | undefined,
  accepted: string | undefined,
): Language {
  const named = offered.find(([language]) => language === wanted);
  if (named) return named[0];
  const code = new Negotiator({ headers: { 'accept-language': accepted ?? '' } }).language(offered.flat());
  const [fallback] = offered as readonly [readonly [Language]];
  return (offered.find((codes) => codes.includes(code as Language)) ?? fallback)[0];
}
