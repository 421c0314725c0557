/** What is bought: lines with their journeys, fees, tax and total. Pure. */
import type { LineView, OrderView } from '../../../activities/payment-page/page-types.ts';
import type { Text } from '../../../workflows/shared/text.ts';
import { type Html, html, type Part } from '../../shared/pages/html.ts';
import { journey } from './journey.ts';
import type { PageWords } from './page-words.ts';
import { codeOf, textIn } from './texts/languages.ts';

/** `isOwed`: the page asks for what earlier payments have left. */
export function orderContent(order: OrderView, words: PageWords, isOwed: boolean): Html {
  const t = words.texts.order;
  return html`<section class="card order" aria-labelledby="order">
<h2 id="order">${t.title}</h2>
<ul class="lines">${order.lines.map((line) => lineView(line, words))}</ul>
${sums(order, words, isOwed && order.paidMinor !== 0)}
</section>`;
}

function lineView(line: LineView, words: PageWords): Html {
  const { texts, formats } = words;
  const t = texts.order;
  const { travellers = [], supplements = [], seats } = line;
  const kinds = travellers.map(({ name, count }) => html`${count} × ${named(name, words)}`);
  const places = seats.map(({ carriageNumber, seatNumber }) => t.seat(carriageNumber, seatNumber));
  return html`<li><div class="line"><h3>${named(line.description, words)}</h3>
<p class="amount">${formats.money(line.amountMinor)}</p></div>
<p class="faint">${kinds.length > 0 ? joined(kinds) : t.count(line.travellerCount)}</p>
${line.legs.map((leg) => journey(leg, words))}
${line.legs.length === 0 && html`<p>${t.valid(formats.dayAndTime(line.startOfValidity), formats.dayAndTime(line.endOfValidity))}</p>`}
${supplements.length > 0 && html`<p>${t.supplements}: ${joined(supplements.map((name) => named(name, words)))}</p>`}
${places.length > 0 && html`<p>${t.seats}: ${places.join('; ')}</p>`}</li>
`;
}

function sums(order: OrderView, words: PageWords, isPartlyPaid: boolean): Html {
  const { texts, formats } = words;
  const t = texts.order;
  const row = (name: Part, amountMinor: number, style = '') =>
    html`<div class="${style}"><dt>${name}</dt><dd>${formats.money(amountMinor)}</dd></div>`;
  const vat = order.vat.filter(({ taxMinor }) => taxMinor !== 0);
  const vatName = ({ basisPoints, amountMinor, taxMinor }: OrderView['vat'][number]) => {
    const rate = basisPoints === undefined ? t.mixedVat : t.vat(formats.percent(basisPoints));
    return `${rate} ${t.ofBase(formats.money(amountMinor - taxMinor))}`;
  };
  return html`<dl class="sums">
${order.fees.map(({ type, amountMinor }) => row(t.fees[type] ?? t.otherFee, amountMinor))}
${row(t.total, order.totalMinor, 'total')}
${vat.map((each) => row(vatName(each), each.taxMinor, 'faint'))}
${isPartlyPaid && row(t.paid, -order.paidMinor)}
${isPartlyPaid && row(t.rest, order.totalMinor - order.paidMinor, 'total')}
</dl>`;
}

/** A name of the catalogue, marked with its own language where it is another. */
export function named(texts: readonly Text[], { language }: PageWords): Part {
  const text = textIn(texts, language);
  if (!text) return undefined;
  const lang = codeOf(text.lang);
  return lang === language ? text.value : html`<span lang="${lang}">${text.value}</span>`;
}

function joined(parts: readonly Part[]): Part {
  return parts.map((part, index) => [index > 0 && ', ', part]);
}
