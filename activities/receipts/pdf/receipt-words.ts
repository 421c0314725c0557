/** What receipts and their mails say, in each language. */
import type { ReceiptType } from '../../../workflows/receipts/rules/receipt.ts';
import type { TextLanguage } from '../../../workflows/shared/text.ts';

export interface ReceiptWords {
  readonly receipt: string;
  readonly number: string;
  readonly order: string;
  readonly date: string;
  readonly types: Readonly<Record<ReceiptType, string>>;
  readonly copy: string;
  readonly copyText: string;
  readonly vatNumber: string;
  readonly lines: string;
  readonly description: string;
  readonly withVat: string;
  readonly supplements: (names: readonly string[]) => string;
  readonly travellers: (count: number) => string;
  readonly total: string;
  readonly vat: string;
  readonly rate: string;
  readonly noRate: string;
  readonly base: string;
  readonly tax: string;
  readonly paid: string;
  readonly credited: string;
  readonly method: string;
  readonly amount: string;
  readonly paidOtherwise: string;
  readonly lastDigits: (last4: string) => string;
  readonly groups: Readonly<Record<string, string>>;
  readonly attached: string;
  readonly page: (page: number) => string;
}

const nob: ReceiptWords = {
  receipt: 'Kvittering',
  number: 'Kvitteringsnummer',
  order: 'Ordrenummer',
  date: 'Dato',
  types: { SALE: 'Kjøp', CHANGE: 'Endring', CANCEL: 'Avbestilling', REFUND: 'Refusjon' },
  copy: 'KOPI',
  copyText: 'Kopi av kvitteringen',
  vatNumber: 'Org.nr.',
  lines: 'Hva det gjelder',
  description: 'Beskrivelse',
  withVat: 'Beløp med mva.',
  supplements: (names) => `Tillegg: ${names.join(', ')}`,
  travellers: (count) => (count === 1 ? '1 reisende' : `${count} reisende`),
  total: 'Sum',
  vat: 'Merverdiavgift',
  rate: 'Sats',
  noRate: 'Uten oppgitt sats',
  base: 'Grunnlag',
  tax: 'Avgift',
  paid: 'Betalt',
  credited: 'Tilbakebetalt',
  method: 'Betalingsmåte',
  amount: 'Beløp',
  paidOtherwise: 'Betalt på annen måte',
  lastDigits: (last4) => `kort som slutter på ${last4}`,
  groups: { PAYMENTCARD: 'Betalingskort', MOBILE: 'Mobilbetaling', INVOICE: 'Faktura', CASH: 'Kontant' },
  attached: 'Kvitteringen er også vedlagt som PDF.',
  page: (page) => `Side ${page}`,
};

const nno: ReceiptWords = {
  receipt: 'Kvittering',
  number: 'Kvitteringsnummer',
  order: 'Ordrenummer',
  date: 'Dato',
  types: { SALE: 'Kjøp', CHANGE: 'Endring', CANCEL: 'Avbestilling', REFUND: 'Refusjon' },
  copy: 'KOPI',
  copyText: 'Kopi av kvitteringa',
  vatNumber: 'Org.nr.',
  lines: 'Kva det gjeld',
  description: 'Skildring',
  withVat: 'Beløp med mva.',
  supplements: (names) => `Tillegg: ${names.join(', ')}`,
  travellers: (count) => (count === 1 ? '1 reisande' : `${count} reisande`),
  total: 'Sum',
  vat: 'Meirverdiavgift',
  rate: 'Sats',
  noRate: 'Utan oppgjeven sats',
  base: 'Grunnlag',
  tax: 'Avgift',
  paid: 'Betalt',
  credited: 'Betalt tilbake',
  method: 'Betalingsmåte',
  amount: 'Beløp',
  paidOtherwise: 'Betalt på annan måte',
  lastDigits: (last4) => `kort som sluttar på ${last4}`,
  groups: { PAYMENTCARD: 'Betalingskort', MOBILE: 'Mobilbetaling', INVOICE: 'Faktura', CASH: 'Kontant' },
  attached: 'Kvitteringa er òg lagd ved som PDF.',
  page: (page) => `Side ${page}`,
};

const eng: ReceiptWords = {
  receipt: 'Receipt',
  number: 'Receipt number',
  order: 'Order number',
  date: 'Date',
  types: { SALE: 'Purchase', CHANGE: 'Change', CANCEL: 'Cancellation', REFUND: 'Refund' },
  copy: 'COPY',
  copyText: 'Copy of the receipt',
  vatNumber: 'Org. no.',
  lines: 'What it is for',
  description: 'Description',
  withVat: 'Amount incl. VAT',
  supplements: (names) => `Supplements: ${names.join(', ')}`,
  travellers: (count) => (count === 1 ? '1 traveller' : `${count} travellers`),
  total: 'Total',
  vat: 'Value added tax',
  rate: 'Rate',
  noRate: 'No rate given',
  base: 'Base',
  tax: 'Tax',
  paid: 'Paid',
  credited: 'Paid back',
  method: 'Method',
  amount: 'Amount',
  paidOtherwise: 'Paid in another way',
  lastDigits: (last4) => `card ending in ${last4}`,
  groups: { PAYMENTCARD: 'Payment card', MOBILE: 'Mobile payment', INVOICE: 'Invoice', CASH: 'Cash' },
  attached: 'The receipt is also attached as a PDF.',
  page: (page) => `Page ${page}`,
};

const WORDS: Readonly<Record<TextLanguage, ReceiptWords>> = { nob, nno, eng };

export function receiptWords(language: TextLanguage): ReceiptWords {
  return WORDS[language];
}
