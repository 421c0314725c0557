/** What a caller should know of a whole answer. Codes are API: never renamed, only added. Pure. */
import type { Text } from '../../shared/text.ts';

export type NoticeCode =
  | 'NOTHING_TO_BUY'
  | 'RIDES_WITHOUT_TICKET'
  | 'TOO_FEW_SEATS'
  | 'STARTS_AT_MIDNIGHT'
  | 'RECOMMENDATIONS_LEFT_OUT'
  | 'OFFERS_LEFT_OUT'
  | 'PRODUCTS_LEFT_OUT';

export interface Notice {
  readonly code: NoticeCode;
  readonly text: readonly Text[];
  /** The rides that it is about. */
  readonly legIds?: readonly string[];
}

const TEXTS: Readonly<Record<NoticeCode, readonly Text[]>> = {
  NOTHING_TO_BUY: [
    { lang: 'nob', value: 'Det finnes ingen billett for dette søket.' },
    { lang: 'nno', value: 'Det finst ingen billett for dette søket.' },
    { lang: 'eng', value: 'There is no ticket for this search.' },
  ],
  RIDES_WITHOUT_TICKET: [
    { lang: 'nob', value: 'Deler av reisen kan ikke kjøpes her.' },
    { lang: 'nno', value: 'Delar av reisa kan ikkje kjøpast her.' },
    { lang: 'eng', value: 'Parts of the journey cannot be bought here.' },
  ],
  TOO_FEW_SEATS: [
    { lang: 'nob', value: 'Det er ikke nok ledige plasser til alle reisende sammen.' },
    { lang: 'nno', value: 'Det er ikkje nok ledige plassar til alle reisande saman.' },
    { lang: 'eng', value: 'Not enough places are free for all travellers together.' },
  ],
  STARTS_AT_MIDNIGHT: [
    { lang: 'nob', value: 'Noen billetter gjelder bare noen timer fra midnatt. Søk med klokkeslett i travelDate.' },
    { lang: 'nno', value: 'Nokre billettar gjeld berre nokre timar frå midnatt. Søk med klokkeslett i travelDate.' },
    { lang: 'eng', value: 'Some tickets are valid for some hours from midnight. Search with a time in travelDate.' },
  ],
  RECOMMENDATIONS_LEFT_OUT: [
    { lang: 'nob', value: 'Den rimeligste kombinasjonen har flere tilbud enn én reservasjon kan ha.' },
    { lang: 'nno', value: 'Den rimelegaste kombinasjonen har fleire tilbod enn éin reservasjon kan ha.' },
    { lang: 'eng', value: 'The cheapest combination has more offers than one reservation can have.' },
  ],
  OFFERS_LEFT_OUT: [
    { lang: 'nob', value: 'Det finnes flere tilbud enn listen viser.' },
    { lang: 'nno', value: 'Det finst fleire tilbod enn lista viser.' },
    { lang: 'eng', value: 'There are more offers than the list shows.' },
  ],
  PRODUCTS_LEFT_OUT: [
    { lang: 'nob', value: 'Flere produkter er utilgjengelige enn listen viser.' },
    { lang: 'nno', value: 'Fleire produkt er utilgjengelege enn lista viser.' },
    { lang: 'eng', value: 'More products are unavailable than the list shows.' },
  ],
};

export function notice(code: NoticeCode, legIds?: readonly string[]): Notice {
  return { code, text: TEXTS[code], ...(legIds && { legIds }) };
}
