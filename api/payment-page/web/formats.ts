/** Amounts and times as a customer reads them. Pure. */
import { fractionDigits } from '../../../workflows/shared/money.ts';
import type { PageLanguage } from './texts/languages.ts';

const LOCALES: Readonly<Record<PageLanguage, string>> = { nb: 'nb-NO', nn: 'nn-NO', en: 'en-GB' };

/** Between day and time. */
const AT: Readonly<Record<PageLanguage, string>> = { nb: 'kl.', nn: 'kl.', en: 'at' };

export interface Formats {
  readonly money: (amountMinor: number) => string;
  /** Hundredths of a percent: `12 %`. */
  readonly percent: (basisPoints: number) => string;
  readonly day: (at: Date) => string;
  readonly time: (at: Date) => string;
  readonly dayAndTime: (at: Date) => string;
}

export interface FormatChoice {
  readonly language: PageLanguage;
  readonly currency: string;
  readonly timeZone: string;
}

const known = new Map<string, Formats>();

/** Formats are kept: making one takes longer than a page. */
export function formatsOf(choice: FormatChoice): Formats {
  const key = Object.values(choice).join(' ');
  const formats = known.get(key) ?? makeFormats(choice);
  known.set(key, formats);
  return formats;
}

function makeFormats({ language, currency, timeZone }: FormatChoice): Formats {
  const locale = LOCALES[language];
  const digits = fractionDigits(currency);
  const amount = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency, ...amount });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const dateOf = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const day = dateOf({ weekday: 'long', day: 'numeric', month: 'long' });
  const time = dateOf({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return {
    money: (amountMinor) => money.format(amountMinor / 10 ** digits),
    percent: (basisPoints) => percent.format(basisPoints / 10_000),
    day: (at) => day.format(at),
    time: (at) => time.format(at),
    // No line breaks before the time.
    dayAndTime: (at) => `${day.format(at)} ${AT[language]}\u00a0${time.format(at)}`,
  };
}
