/** The mail that brings a receipt: all of it, in HTML and in plain text. The receipt is also attached as PDF. */
import type { Receipt } from '../../../workflows/receipts/rules/receipt.ts';
import { MAIL_STYLES, type MailHtml, mailFacts, mailHtml, mailPage } from '../../shared/pdf/mail-html.ts';
import type { RenderedMail } from '../../shared/pdf/rendered-mail.ts';
import { COLOURS } from '../../shared/pdf/styles.ts';
import {
  type Cell,
  type ReceiptOptions,
  type ReceiptTable,
  type ReceiptView,
  serialOf,
  viewReceipt,
} from './receipt-view.ts';
import { receiptWords } from './receipt-words.ts';

const RULE = `border-bottom: 1px solid ${COLOURS.rule}`;
const { cell: CELL, faint: FAINT, text: TEXT } = MAIL_STYLES;

export function renderReceiptMail(receipt: Receipt, options: ReceiptOptions): RenderedMail {
  const words = receiptWords(options.language);
  const view = viewReceipt(receipt, options);
  const mark = options.copy ? ` (${words.copy.toLowerCase()})` : '';
  const subject = `${words.receipt} ${serialOf(receipt)}${mark}: ${words.order.toLowerCase()} ${receipt.orderId}`;
  return {
    subject,
    html: mailPage(subject, options.language, [receiptCard(view, words.attached)]),
    text: textOf(view, words.attached),
  };
}

function receiptCard(view: ReceiptView, attached: string): MailHtml {
  const [name, ...seller] = view.seller;
  const line = (text: string) => mailHtml`<p class="faint" style="${FAINT}">${text}</p>\n`;
  return mailHtml`<p class="accent" style="${MAIL_STYLES.subheading}; margin-top: 0">${view.type}</p>
<h1 class="ink" style="${MAIL_STYLES.heading}">${view.name}</h1>
${view.copy !== undefined && mailHtml`<p class="ink" style="${MAIL_STYLES.strong}">${view.copy}</p>\n`}${mailFacts(view.facts.map(([label, value]) => ({ label, value })))}${view.tables.map(tableOf)}
<p class="ink" style="${MAIL_STYLES.strong}; margin-top: 24px">${name}</p>
${seller.map(line)}<p class="ink" style="${TEXT}; margin-top: 16px">${attached}</p>`;
}

function tableOf({ title, header, amounts, rows, total }: ReceiptTable): MailHtml {
  const isAmount = (at: number) => at >= header.length - amounts;
  const row = (cells: readonly Cell[]) => mailHtml`<tr>${cells.map((cell, at) => cellOf(cell, isAmount(at)))}</tr>\n`;
  const head = (text: string, at: number) =>
    mailHtml`<th class="faint rule" scope="col" style="${FAINT}; padding: 6px 0; ${RULE}; font-weight: 400; ${sideOf(isAmount(at))}">${text}</th>`;
  const sum = (text: string, at: number) =>
    mailHtml`<td class="ink" style="${CELL}; font-weight: 600; ${sideOf(at === 1)}">${text}</td>`;
  return mailHtml`<h2 class="accent" style="${MAIL_STYLES.subheading}">${title}</h2>
<table cellpadding="0" cellspacing="0" border="0" width="100%" style="border-collapse: collapse">
<thead><tr>${header.map(head)}</tr></thead>
<tbody>
${rows.map(row)}${total && mailHtml`<tr>${total.map(sum)}</tr>\n`}</tbody>
</table>
`;
}

function cellOf({ text, note }: Cell, isAmount: boolean): MailHtml {
  const noted = note !== undefined && mailHtml`<br><span class="faint" style="${FAINT}">${note}</span>`;
  return mailHtml`<td class="ink rule" style="${CELL}; ${RULE}; ${sideOf(isAmount)}">${text}${noted}</td>`;
}

function sideOf(isAmount: boolean): string {
  return isAmount ? 'padding-left: 12px; text-align: right; white-space: nowrap' : 'text-align: left';
}

function textOf(view: ReceiptView, attached: string): string {
  return [
    view.title,
    ...(view.copy === undefined ? [] : [view.copy]),
    view.type,
    '',
    ...view.facts.map(([label, value]) => `${label}: ${value}`),
    ...view.tables.flatMap(tableText),
    '',
    ...view.seller,
    '',
    attached,
    '',
  ].join('\n');
}

function tableText({ title, header, rows, total }: ReceiptTable): readonly string[] {
  const cellText = ({ text, note }: Cell) => (note === undefined ? text : `${text} (${note})`);
  const row = (cells: readonly Cell[]) =>
    cells.map((cell, at) => (at === 0 ? cellText(cell) : `${header[at]}: ${cellText(cell)}`)).join('; ');
  return ['', title, ...rows.map((cells) => `  ${row(cells)}`), ...(total ? [`  ${total.join(': ')}`] : [])];
}
