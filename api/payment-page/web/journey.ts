/** One leg of a journey with its stops and times. Pure. */
import type { LegView } from '../../../activities/payment-page/page-types.ts';
import { type Html, html } from '../../shared/pages/html.ts';
import type { PageWords } from './page-words.ts';

export function journey(leg: LegView, words: PageWords): Html {
  const { texts, formats } = words;
  const t = texts.order;
  const between = leg.stops.slice(1, -1);
  return html`<div class="leg">
<p class="ends"><strong>${t.leg(leg.mode)}</strong> <span>${timeTag(leg.departure, formats.day(leg.departure))}</span></p>
<ol class="stops">
<li>${timeTag(leg.departure, formats.time(leg.departure))} <span class="stop">${leg.from}</span></li>
<li>${timeTag(leg.arrival, formats.time(leg.arrival))} <span class="stop">${leg.to}${laterDay(leg, words)}</span></li>
</ol>
${between.length > 0 && html`<details><summary>${t.stops(between.length)}</summary><ol class="stops">${between.map((stop) => stopView(stop, words))}</ol></details>`}
</div>
`;
}

function stopView({ name, arrival, departure }: LegView['stops'][number], { formats }: PageWords): Html {
  const at = departure ?? arrival;
  return html`<li>${at && timeTag(at, formats.time(at))} <span class="stop">${name}</span></li>`;
}

/** The day of an arrival on another day than the departure. */
function laterDay({ departure, arrival }: LegView, { formats }: PageWords): string {
  const day = formats.day(arrival);
  return formats.day(departure) === day ? '' : ` (${day})`;
}

export function timeTag(at: Date, text: string): Html {
  return html`<time datetime="${at.toISOString()}">${text}</time>`;
}
