/** The words of the pages, in Norwegian and English. */
import type { CardBehaviour } from '../cards.ts';

export interface Texts {
  readonly lang: 'nb' | 'en';
  readonly banner: string;
  readonly title: string;
  readonly amount: string;
  readonly reference: string;
  readonly cardNumber: string;
  readonly cardHint: string;
  readonly pay: string;
  readonly cancel: string;
  readonly notTestCard: string;
  readonly cards: string;
  readonly behaviours: Readonly<Record<CardBehaviour, string>>;
  readonly challengeTitle: string;
  readonly challengeText: string;
  readonly approve: string;
  readonly decline: string;
  readonly appTitle: string;
  readonly appText: string;
  readonly phone: string;
  readonly method: string;
  readonly approvePayment: string;
  readonly doneTitle: string;
  readonly overTitle: string;
  readonly doneText: string;
  readonly overText: string;
  readonly back: string;
  readonly skip: string;
}

const NORWEGIAN: Texts = {
  lang: 'nb',
  banner: 'Simulert betaling. Ingen penger flyttes, og bare testkort virker.',
  title: 'Betal med kort',
  amount: 'Å betale',
  reference: 'Referanse',
  cardNumber: 'Kortnummer',
  cardHint: 'Bruk et av testkortene nedenfor. Skriv aldri et ekte kortnummer her.',
  pay: 'Betal',
  cancel: 'Avbryt',
  notTestCard: 'Dette er ikke et testkort. Skriv et av numrene i listen under.',
  cards: 'Testkort',
  behaviours: {
    ACCEPTED: 'Godtas',
    CHALLENGE: 'Første belastning krever 3-D Secure; godtas etterpå',
    FAILING_CHALLENGE: 'Krever 3-D Secure, som mislykkes',
    REFUSED_AT_CAPTURE: 'Avvises ved belastning',
    UNANSWERED_CAPTURE: 'Belastes, men svaret uteblir',
    PENDING_CAPTURE: 'Belastes først etter to sekunder',
    UNRULY_REPORTS: 'Hver melding sendes to ganger, i feil rekkefølge',
    NO_REFUNDS: 'Godtas; tilbakebetaling avvises',
  },
  challengeTitle: 'Bekreft at det er deg',
  challengeText: 'Banken din spør om du godkjenner denne betalingen.',
  approve: 'Godkjenn',
  decline: 'Avvis',
  appTitle: 'Godkjenn i appen',
  appText: 'Slik ser kunden betalingen i appen på telefonen.',
  phone: 'Telefon',
  method: 'Betalingsmåte',
  approvePayment: 'Godkjenn betalingen',
  doneTitle: 'Betalingen er godkjent',
  overTitle: 'Betalingen er avsluttet',
  doneText: 'Du kan gå tilbake til butikken.',
  overText: 'Her kan ingenting betales lenger. Gå tilbake til butikken for å prøve på nytt.',
  back: 'Tilbake til butikken',
  skip: 'Gå til innholdet',
};

const ENGLISH: Texts = {
  lang: 'en',
  banner: 'Simulated payment. No money moves, and only test cards work.',
  title: 'Pay by card',
  amount: 'To pay',
  reference: 'Reference',
  cardNumber: 'Card number',
  cardHint: 'Use one of the test cards below. Never write a real card number here.',
  pay: 'Pay',
  cancel: 'Cancel',
  notTestCard: 'This is not a test card. Write one of the numbers in the list below.',
  cards: 'Test cards',
  behaviours: {
    ACCEPTED: 'Accepted',
    CHALLENGE: 'The first capture needs 3-D Secure; accepted afterwards',
    FAILING_CHALLENGE: 'Needs 3-D Secure, which fails',
    REFUSED_AT_CAPTURE: 'Refused at capture',
    UNANSWERED_CAPTURE: 'Captured, but the answer never comes',
    PENDING_CAPTURE: 'Captured two seconds later',
    UNRULY_REPORTS: 'Every callback comes twice and out of order',
    NO_REFUNDS: 'Accepted; refunds are refused',
  },
  challengeTitle: 'Confirm that it is you',
  challengeText: 'Your bank asks whether you approve this payment.',
  approve: 'Approve',
  decline: 'Decline',
  appTitle: 'Approve in the app',
  appText: 'This is how the customer sees the payment in the app on the phone.',
  phone: 'Phone',
  method: 'Payment method',
  approvePayment: 'Approve the payment',
  doneTitle: 'The payment is approved',
  overTitle: 'This payment has ended',
  doneText: 'You can go back to the shop.',
  overText: 'Nothing can be paid here any more. Go back to the shop to try again.',
  back: 'Back to the shop',
  skip: 'Skip to the content',
};

/** `language`: ISO 639, of two or three letters. Everything but Norwegian is answered in English. */
export function textsOf(language: string): Texts {
  return ['nob', 'nno', 'nor', 'nb', 'nn', 'no'].includes(language.toLowerCase()) ? NORWEGIAN : ENGLISH;
}
