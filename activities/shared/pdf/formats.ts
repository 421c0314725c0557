/** Amounts, days and times as a traveller reads them, in one language and time zone. Pure. */
import { fractionDigits } from '../../../workflows/shared/money.ts';
import type { Text, TextLanguage } from '../../../workflows/shared/text.ts';

const LOCALES: Readonly<Record<TextLanguage, string>> = { nob: 'nb-NO', nno: 'nn-NO', eng: 'en-GB' };
/** Which texts readers of a language understand, the best first. */
const SIMILAR: Readonly<Record<TextLanguage, readonly TextLanguage[]>> = {
  nob: ['nob', 'nno', 'eng'],
  nno: ['nno', 'nob', 'eng'],
  eng: ['eng', 'nob', 'nno'],
};

const MINUS = '\u2212';

export interface Formats {
  readonly money: (amountMinor: number, currency: string) => string;
  /** Hundredths of a percent: `12 %`. */
  readonly percent: (basisPoints: number) => string;
  /** `tirsdag 24. november 2026`. */
  readonly longDay: (at: Date) => string;
  /** `tirsdag 24. nov. 2026`. */
  readonly weekday: (at: Date) => string;
  /** `24. nov. 2026`. */
  readonly day: (at: Date) => string;
  /** `08:25`. */
  readonly time: (at: Date) => string;
  readonly dayAndTime: (at: Date) => string;
}

const known = new Map<string, Formats>();

/** Formats are kept: making one takes longer than a page. */
export function formatsOf(language: TextLanguage, timeZone: string): Formats {
  const key = `${language} ${timeZone}`;
  const formats = known.get(key) ?? makeFormats(LOCALES[language], timeZone);
  known.set(key, formats);
  return formats;
}

function makeFormats(locale: string, timeZone: string): Formats {
  const amounts = new Map<string, Intl.NumberFormat>();
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const dateOf = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const longDay = dateOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const weekday = dateOf({ weekday: 'long', day: 'numeric', month: 'short', year: 'numeric' });
  const day = dateOf({ day: 'numeric', month: 'short', year: 'numeric' });
  const time = dateOf({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return {
    money: (amountMinor, currency) => {
      const digits = fractionDigits(currency);
      const amount = amounts.get(currency) ?? amountFormat(locale, currency, digits);
      amounts.set(currency, amount);
      return amount.format(amountMinor / 10 ** digits).replace('-', MINUS);
    },
    percent: (basisPoints) => percent.format(basisPoints / 10_000),
    longDay: (at) => longDay.format(at),
    weekday: (at) => weekday.format(at),
    day: (at) => day.format(at),
    time: (at) => time.format(at),
    dayAndTime: (at) => `${day.format(at)} ${time.format(at)}`,
  };
}

function amountFormat(locale: string, currency: string, digits: number): Intl.NumberFormat {
  const amount = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...amount });
}

/** The text in this language, or in the one that its readers understand best. */
export function textIn(texts: readonly Text[], language: TextLanguage): string {
  const found = SIMILAR[language].map((lang) => texts.find((text) => text.lang === lang));
  return found.find((text) => text !== undefined)?.value ?? '';
}

/** `2 × Sykkel`: each name once, with how many there are of it. */
export function countedNames(names: readonly (readonly Text[])[], language: TextLanguage): readonly string[] {
  const shown = Map.groupBy(
    names.map((name) => textIn(name, language)),
    (name) => name,
  );
  return [...shown].map(([name, { length }]) => (length > 1 ? `${length} × ${name}` : name));
}
