/** What tickets and their mails say, in each language. */
import type { Accommodation } from '../../../workflows/shared/fares.ts';
import type { TextLanguage } from '../../../workflows/shared/text.ts';
import type { SheetLeg, TicketSheet } from './ticket-sheet.ts';

export interface TicketWords {
  readonly ticket: string;
  readonly tickets: string;
  readonly order: string;
  readonly product: string;
  readonly supplements: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly validIn: string;
  readonly allZones: string;
  /** Of codes, as `2V`. */
  readonly zones: (codes: readonly string[]) => string;
  readonly price: string;
  readonly vat: (amount: string, rate?: string) => string;
  readonly travellers: string;
  readonly journey: string;
  readonly via: string;
  readonly seats: (carriage: string, seats: readonly string[], accommodation: Accommodation) => string;
  readonly fareClasses: Readonly<Record<NonNullable<TicketSheet['fareClass']>, string>>;
  readonly modes: Readonly<Record<string, string>>;
  readonly showCode: string;
  readonly codeText: (ticketId: string) => string;
  readonly specimenText: string;
  readonly issued: (issuer: string, at: string) => string;
  readonly page: (page: number, pages: number) => string;
  readonly attached: (tickets: number) => string;
  readonly replaces: string;
  readonly keep: string;
}

const NORWEGIAN_MODES: Readonly<Record<string, string>> = {
  bus: 'Buss',
  coach: 'Ekspressbuss',
  rail: 'Tog',
  tram: 'Trikk',
  metro: 'T-bane',
  water: 'Båt',
  air: 'Fly',
};

const NORWEGIAN_PLACES: Readonly<Record<Accommodation, string>> = {
  SEATING: 'plass',
  COUCHETTE: 'liggeplass',
  SLEEPER: 'soveplass',
};
const ENGLISH_PLACES: Readonly<Record<Accommodation, string>> = {
  SEATING: 'seat',
  COUCHETTE: 'couchette',
  SLEEPER: 'berth',
};

const nob: TicketWords = {
  ticket: 'Billett',
  tickets: 'Billetter',
  order: 'Ordrenummer',
  product: 'Produkt',
  supplements: 'Tillegg',
  validFrom: 'Gyldig fra',
  validUntil: 'Gyldig til',
  validIn: 'Gyldig i',
  allZones: 'Alle soner',
  zones: (codes) => `${codes.length > 1 ? 'Soner' : 'Sone'} ${codes.join(', ')}`,
  price: 'Pris',
  vat: (amount, rate) => `herav mva.${rate === undefined ? '' : ` ${rate}`}: ${amount}`,
  travellers: 'Reisende',
  journey: 'Reisen',
  via: 'Via',
  seats: (carriage, seats, kind) => `Vogn ${carriage}, ${NORWEGIAN_PLACES[kind]} ${seats.join(', ')}`,
  fareClasses: { STANDARD: 'Standard', FIRST: 'Første klasse' },
  modes: NORWEGIAN_MODES,
  showCode: 'Vis koden i kontroll',
  codeText: (ticketId) => `Strekkode av typen Aztec, som leses i kontroll. Den hører til billett ${ticketId}.`,
  specimenText: 'SPECIMEN. Ikke gyldig for reise.',
  issued: (issuer, at) => `Utstedt av ${issuer} ${at}`,
  page: (page, pages) => `${page} av ${pages}`,
  attached: (tickets) =>
    `${tickets > 1 ? 'Billettene' : 'Billetten'} er vedlagt som PDF. Vis strekkoden i kontroll, på skjerm eller papir.`,
  replaces: 'Tidligere billetter som er byttet ut, gjelder ikke lenger.',
  keep: 'Ta vare på e-posten til reisen er over.',
};

const nno: TicketWords = {
  ticket: 'Billett',
  tickets: 'Billettar',
  order: 'Ordrenummer',
  product: 'Produkt',
  supplements: 'Tillegg',
  validFrom: 'Gyldig frå',
  validUntil: 'Gyldig til',
  validIn: 'Gyldig i',
  allZones: 'Alle soner',
  zones: (codes) => `${codes.length > 1 ? 'Soner' : 'Sone'} ${codes.join(', ')}`,
  price: 'Pris',
  vat: (amount, rate) => `av dette mva.${rate === undefined ? '' : ` ${rate}`}: ${amount}`,
  travellers: 'Reisande',
  journey: 'Reisa',
  via: 'Via',
  seats: (carriage, seats, kind) => `Vogn ${carriage}, ${NORWEGIAN_PLACES[kind]} ${seats.join(', ')}`,
  fareClasses: { STANDARD: 'Standard', FIRST: 'Fyrste klasse' },
  modes: NORWEGIAN_MODES,
  showCode: 'Vis koden i kontroll',
  codeText: (ticketId) => `Strekkode av typen Aztec, som blir lesen i kontroll. Han høyrer til billett ${ticketId}.`,
  specimenText: 'SPECIMEN. Ikkje gyldig for reise.',
  issued: (issuer, at) => `Utferda av ${issuer} ${at}`,
  page: (page, pages) => `${page} av ${pages}`,
  attached: (tickets) =>
    `${tickets > 1 ? 'Billettane er lagde' : 'Billetten er lagd'} ved som PDF. Vis strekkoden i kontroll, på skjerm eller papir.`,
  replaces: 'Tidlegare billettar som er bytte ut, gjeld ikkje lenger.',
  keep: 'Ta vare på e-posten til reisa er over.',
};

const eng: TicketWords = {
  ticket: 'Ticket',
  tickets: 'Tickets',
  order: 'Order number',
  product: 'Product',
  supplements: 'Supplements',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  validIn: 'Valid in',
  allZones: 'All zones',
  zones: (codes) => `${codes.length > 1 ? 'Zones' : 'Zone'} ${codes.join(', ')}`,
  price: 'Price',
  vat: (amount, rate) => `of which VAT${rate === undefined ? '' : ` ${rate}`}: ${amount}`,
  travellers: 'Travellers',
  journey: 'Your journey',
  via: 'Via',
  seats: (carriage, seats, kind) =>
    `Carriage ${carriage}, ${ENGLISH_PLACES[kind]}${seats.length > 1 ? 's' : ''} ${seats.join(', ')}`,
  fareClasses: { STANDARD: 'Standard', FIRST: 'First class' },
  modes: { bus: 'Bus', coach: 'Coach', rail: 'Train', tram: 'Tram', metro: 'Metro', water: 'Boat', air: 'Flight' },
  showCode: 'Show this code for inspection',
  codeText: (ticketId) => `Aztec barcode, which inspectors read. It belongs to ticket ${ticketId}.`,
  specimenText: 'SPECIMEN. Not valid for travel.',
  issued: (issuer, at) => `Issued by ${issuer} ${at}`,
  page: (page, pages) => `${page} of ${pages}`,
  attached: (tickets) =>
    `${tickets > 1 ? 'The tickets are' : 'The ticket is'} attached as PDF. Show the barcode for inspection, on a screen or on paper.`,
  replaces: 'Earlier tickets that were replaced are no longer valid.',
  keep: 'Keep this e-mail until the journey is over.',
};

/** Known in all languages. */
export const SPECIMEN = 'SPECIMEN';

const WORDS: Readonly<Record<TextLanguage, TicketWords>> = { nob, nno, eng };

export function ticketWords(language: TextLanguage): TicketWords {
  return WORDS[language];
}

export function modeName({ modes }: TicketWords, { mode }: SheetLeg): string | undefined {
  return modes[mode];
}
