/** The rules of refund as sentences for travellers, in every language. Pure. */
import type { RefundRule, RefundRuleSet } from '../../shared/fares.ts';
import { parseDuration } from '../../shared/local-time.ts';
import { formatAmount } from '../../shared/money.ts';
import { TEXT_LANGUAGES, type Text, type TextLanguage } from '../../shared/text.ts';

/** What windows are counted from. */
export type RefundAnchor = 'DEPARTURE' | 'START_OF_VALIDITY';

type Unit = 'months' | 'days' | 'hours' | 'minutes' | 'seconds';

interface Words {
  readonly forbidden: string;
  readonly until: (until: string) => string;
  readonly from: (from: string, until: string) => string;
  readonly back: (percent: string) => string;
  readonly minus: (amount: string) => string;
  readonly unused: string;
  readonly anchors: Readonly<Record<RefundAnchor, string>>;
  readonly before: string;
  readonly after: string;
  readonly and: string;
  readonly units: Readonly<Record<Unit, readonly [one: string, several: string]>>;
}

const WORDS: Readonly<Record<TextLanguage, Words>> = {
  nob: {
    forbidden: 'Ingen refusjon.',
    until: (until) => `Frem til ${until}`,
    from: (from, until) => `Fra ${from} frem til ${until}`,
    back: (percent) => `${percent} % tilbake`,
    minus: (amount) => `, minus ${amount}`,
    unused: ', hvis billetten er ubrukt',
    anchors: { DEPARTURE: 'avgang', START_OF_VALIDITY: 'billetten blir gyldig' },
    ...{ before: 'før', after: 'etter', and: 'og' },
    units: {
      months: ['måned', 'måneder'],
      days: ['dag', 'dager'],
      hours: ['time', 'timer'],
      minutes: ['minutt', 'minutter'],
      seconds: ['sekund', 'sekunder'],
    },
  },
  nno: {
    forbidden: 'Ingen refusjon.',
    until: (until) => `Fram til ${until}`,
    from: (from, until) => `Frå ${from} fram til ${until}`,
    back: (percent) => `${percent} % tilbake`,
    minus: (amount) => `, minus ${amount}`,
    unused: ', om billetten er ubrukt',
    anchors: { DEPARTURE: 'avgang', START_OF_VALIDITY: 'billetten blir gyldig' },
    ...{ before: 'før', after: 'etter', and: 'og' },
    units: {
      months: ['månad', 'månader'],
      days: ['dag', 'dagar'],
      hours: ['time', 'timar'],
      minutes: ['minutt', 'minutt'],
      seconds: ['sekund', 'sekund'],
    },
  },
  eng: {
    forbidden: 'No refund.',
    until: (until) => `Until ${until}`,
    from: (from, until) => `From ${from} until ${until}`,
    back: (percent) => `${percent} % back`,
    minus: (amount) => `, minus ${amount}`,
    unused: ', if the ticket is unused',
    anchors: { DEPARTURE: 'departure', START_OF_VALIDITY: 'the ticket becomes valid' },
    ...{ before: 'before', after: 'after', and: 'and' },
    units: {
      months: ['month', 'months'],
      days: ['day', 'days'],
      hours: ['hour', 'hours'],
      minutes: ['minute', 'minutes'],
      seconds: ['second', 'seconds'],
    },
  },
};

/** One text in each language. */
export function summariseRefund({ rules, currency }: RefundRuleSet, anchor: RefundAnchor): readonly Text[] {
  return TEXT_LANGUAGES.map((lang) => {
    const sentences = rules.map((rule) => sentenceOf(rule, anchor, currency, lang));
    return { lang, value: sentences.length === 0 ? WORDS[lang].forbidden : sentences.join(' ') };
  });
}

function sentenceOf(rule: RefundRule, anchor: RefundAnchor, currency: string, lang: TextLanguage): string {
  const words = WORDS[lang];
  const until = pointOf(rule.untilBefore, words.anchors[anchor], words);
  const window =
    rule.fromBefore === undefined
      ? words.until(until)
      : words.from(pointOf(rule.fromBefore, words.anchors[anchor], words), until);
  const fee = rule.feeAmountMinor > 0 ? words.minus(amountIn(lang, rule.feeAmountMinor, currency)) : '';
  return `${window}: ${words.back(numberIn(lang, rule.refundPercent))}${fee}${rule.unusedOnly ? words.unused : ''}.`;
}

/** `2 hours before departure`; the anchor itself for a duration of nothing. */
function pointOf(duration: string, anchor: string, words: Words): string {
  const { months, days, elapsedMs } = parseDuration(duration) ?? { months: 0, days: 0, elapsedMs: 0 };
  const seconds = Math.abs(elapsedMs) / 1_000;
  const counts: readonly (readonly [Unit, number])[] = [
    ['months', Math.abs(months)],
    ['days', Math.abs(days)],
    ['hours', Math.floor(seconds / 3_600)],
    ['minutes', Math.floor(seconds / 60) % 60],
    ['seconds', seconds % 60],
  ];
  const parts = counts.flatMap(([unit, count]) =>
    count === 0 ? [] : [`${count} ${words.units[unit][count === 1 ? 0 : 1]}`],
  );
  if (parts.length === 0) return anchor;
  return `${parts.join(` ${words.and} `)} ${duration.startsWith('-') ? words.after : words.before} ${anchor}`;
}

function amountIn(lang: TextLanguage, amountMinor: number, currency: string): string {
  const amount = formatAmount(amountMinor, currency);
  if (lang === 'eng') return `${currency} ${amount}`;
  return `${amount.replace('.', ',')} ${currency === 'NOK' ? 'kr' : currency}`;
}

function numberIn(lang: TextLanguage, value: number): string {
  return lang === 'eng' ? String(value) : String(value).replace('.', ',');
}

/** Some of its rules gives money back. A fee that takes all of it is not known before the price is. */
export function isRefundable(set: RefundRuleSet | undefined): boolean {
  return set?.rules.some(({ refundPercent }) => refundPercent > 0) ?? false;
}
