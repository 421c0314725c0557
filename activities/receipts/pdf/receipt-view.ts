/** The texts of a receipt, for its PDF and its mail. Pure. */
import type { Receipt, ReceiptLine, ReceiptPayment, ReceiptVat } from '../../../workflows/receipts/rules/receipt.ts';
import type { TextLanguage } from '../../../workflows/shared/text.ts';
import { countedNames, type Formats, formatsOf, textIn } from '../../shared/pdf/formats.ts';
import { type ReceiptWords, receiptWords } from './receipt-words.ts';

export interface ReceiptOptions {
  /** Marked as a copy; it keeps the number. */
  readonly copy: boolean;
  readonly language: TextLanguage;
  /** IANA name of the zone that times are shown in. */
  readonly timeZone: string;
}

export interface ReceiptView {
  /** `Kvittering`. */
  readonly name: string;
  /** `Kvittering 1-2026-17`. */
  readonly title: string;
  readonly copy?: string;
  /** `Kjøp`. */
  readonly type: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly seller: readonly string[];
  readonly tables: readonly ReceiptTable[];
}

export interface ReceiptTable {
  readonly title: string;
  readonly header: readonly string[];
  /** How many columns at the end hold amounts. */
  readonly amounts: number;
  readonly rows: readonly (readonly Cell[])[];
  readonly total?: readonly [label: string, amount: string];
}

export interface Cell {
  readonly text: string;
  readonly note?: string;
}

/** What cells are written with. */
interface Writing {
  readonly words: ReceiptWords;
  readonly formats: Formats;
  readonly language: TextLanguage;
  readonly money: (amountMinor: number) => string;
}

export function serialOf({ organisationId, year, number }: Receipt): string {
  return `${organisationId}-${year}-${number}`;
}

export function viewReceipt(receipt: Receipt, { copy, language, timeZone }: ReceiptOptions): ReceiptView {
  const words = receiptWords(language);
  const formats = formatsOf(language, timeZone);
  const money = (amountMinor: number) => formats.money(amountMinor, receipt.currency);
  const writing: Writing = { words, formats, language, money };
  return {
    name: words.receipt,
    title: `${words.receipt} ${serialOf(receipt)}`,
    ...(copy && { copy: words.copyText }),
    type: words.types[receipt.receiptType],
    facts: [
      [words.number, serialOf(receipt)],
      [words.order, receipt.orderId],
      [words.date, formats.dayAndTime(receipt.createdAt)],
    ],
    seller: sellerLines(receipt, words),
    tables: [lineTable(receipt, writing), ...furtherTables(receipt, writing).filter(({ rows }) => rows.length > 0)],
  };
}

function sellerLines({ seller }: Receipt, words: ReceiptWords): readonly string[] {
  const { name, vatNumber, address = [], contact } = seller;
  const number = vatNumber === undefined ? [] : [`${words.vatNumber} ${vatNumber}`];
  return [name, ...number, ...address, ...(contact === undefined ? [] : [contact])];
}

function lineTable({ lines, totalMinor }: Receipt, writing: Writing): ReceiptTable {
  const { words, money } = writing;
  return {
    title: words.lines,
    header: [words.description, words.withVat],
    amounts: 1,
    rows: lines.map((line) => lineRow(line, writing)),
    total: [words.total, money(totalMinor)],
  };
}

function furtherTables({ vat, payments, credits }: Receipt, writing: Writing): readonly ReceiptTable[] {
  const { words } = writing;
  const payment = { header: [words.date, words.method, words.amount], amounts: 1 };
  return [
    {
      title: words.vat,
      header: [words.rate, words.base, words.tax],
      amounts: 2,
      rows: vat.map((each) => vatRow(each, writing)),
    },
    { title: words.paid, ...payment, rows: payments.map((each) => paymentRow(each, writing)) },
    { title: words.credited, ...payment, rows: credits.map((each) => paymentRow(each, writing)) },
  ];
}

function lineRow(line: ReceiptLine, { words, language, money }: Writing): readonly Cell[] {
  const { description, supplementNames = [], travellerCount, price } = line;
  const supplements = countedNames(supplementNames, language);
  const notes = [
    ...(supplements.length > 0 ? [words.supplements(supplements)] : []),
    ...(travellerCount > 0 ? [words.travellers(travellerCount)] : []),
  ];
  return [
    { text: textIn(description, language), ...(notes.length > 0 && { note: notes.join(' · ') }) },
    { text: money(price.amountMinor) },
  ];
}

function vatRow({ basisPoints, baseMinor, taxMinor }: ReceiptVat, { words, formats, money }: Writing): readonly Cell[] {
  const rate = basisPoints === undefined ? words.noRate : formats.percent(basisPoints);
  return [{ text: rate }, { text: money(baseMinor) }, { text: money(taxMinor) }];
}

function paymentRow(payment: ReceiptPayment, { words, formats, money }: Writing): readonly Cell[] {
  const { at, amountMinor, last4 } = payment;
  const note = last4 === undefined ? {} : { note: words.lastDigits(last4) };
  return [
    { text: formats.dayAndTime(at) },
    { text: methodName(payment, words), ...note },
    { text: money(amountMinor) },
  ];
}

/** `PAYMENTCARD` and `VISA` read `Betalingskort, Visa`. */
function methodName({ paymentTypeGroup, paymentType, paidOtherwise }: ReceiptPayment, words: ReceiptWords): string {
  if (paidOtherwise) return words.paidOtherwise;
  const { groups } = words;
  const group = groups[paymentTypeGroup];
  if (paymentType === paymentTypeGroup && group !== undefined) return group;
  const name = `${paymentType.charAt(0)}${paymentType.slice(1).toLowerCase().replaceAll('_', ' ')}`;
  return group === undefined ? name : `${group}, ${name}`;
}
