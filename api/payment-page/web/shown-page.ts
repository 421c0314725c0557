/** The page of a link in each of its states. Pure. */
import type { PageForm, PageView, ShownStatus } from '../../../activities/payment-page/page-types.ts';
import { type Html, html, type Part } from '../../shared/pages/html.ts';
import { formatsOf } from './formats.ts';
import { timeTag } from './journey.ts';
import { layout, type WatchedState } from './layout.ts';
import { orderContent } from './order-content.ts';
import type { PageWords } from './page-words.ts';
import { type PageLanguage, TEXTS } from './texts/languages.ts';
import type { Notice, PageTexts, StatePage } from './texts/page-texts.ts';

/** Catalogues have a time zone; without one, times are those of Norway. */
const USUAL_TIME_ZONE = 'Europe/Oslo';
/** A paid page changes when the mails are sent; an open one when it is paid in another tab, or its time is over. */
const WATCH_SECONDS: Partial<Record<ShownStatus, number>> = { OPEN: 15, PROCESSING: 2, PAID: 5 };
const RETURN_REFRESH_SECONDS = 3;

export type NoticeName = keyof PageTexts['notices'];

export interface ShownPage {
  readonly view: PageView;
  readonly language: PageLanguage;
  /** `/<orderId>/<token>` */
  readonly path: string;
  /** What has come between, of the form that was just sent. */
  readonly notice?: NoticeName | undefined;
  /** The customer has just come back from the provider, and nothing is known yet. */
  readonly isReturned?: boolean;
}

export function shownPage(shown: ShownPage): string {
  const { view, language, path, isReturned = false } = shown;
  const words = wordsOf(view, language);
  const notice = shown.notice ?? (view.status === 'OPEN' && !view.isHeld ? view.lastAttempt : undefined);
  const state = stateOf(view, words.texts, isReturned);
  return layout({
    language,
    sellerName: view.sellerName,
    title: notice ? words.texts.notices[notice].title : state.title,
    path,
    watches: watchedState(shown),
    refreshSeconds: isReturned ? RETURN_REFRESH_SECONDS : undefined,
    main: html`<h1>${state.title}</h1>
${notice && noticeView(words.texts.notices[notice], words.texts)}
<div class="columns">
<div>${body(shown, state, words)}</div>
${orderContent(view.order, words, ['OPEN', 'PROCESSING'].includes(view.status) && !view.isHeld)}
</div>`,
  });
}

function wordsOf({ currency, timeZone = USUAL_TIME_ZONE }: PageView, language: PageLanguage): PageWords {
  return { language, texts: TEXTS[language], formats: formatsOf({ language, currency, timeZone }) };
}

function stateOf(view: PageView, t: PageTexts, isReturned: boolean): StatePage {
  const { status, deliveryFailed, isUnaddressed, isHeld } = view;
  if (status === 'PROCESSING') return isReturned ? t.processing.returned : t.processing;
  if (status === 'PAID') return deliveryFailed ? t.paidUndelivered : t.paid;
  if (status === 'COMPLETED') return isUnaddressed ? t.completedUnaddressed : t.completed;
  if (status === 'CREDITED') return t.credited;
  if (status === 'CREDIT_OUTSTANDING') return t.creditOutstanding;
  return isHeld ? t.held : { title: t.open.title, paragraphs: [] };
}

function body(shown: ShownPage, state: StatePage, words: PageWords): Part {
  const { status, isHeld } = shown.view;
  if (status === 'OPEN' && !isHeld) return openView(shown, words);
  return html`<section class="card state ${status.toLowerCase().replace('_', '-')}"${status === 'PROCESSING' && html` role="status"`}>
${state.paragraphs.map((text) => html`<p>${text}</p>`)}
${identification(shown.view, words)}
</section>
${status === 'PROCESSING' && choices(shown, words)}`;
}

function openView({ view, path, language }: ShownPage, { texts, formats }: PageWords): Html {
  const t = texts.open;
  const amount = formats.money(view.amountMinor);
  return html`<section class="card pay" aria-labelledby="pay">
<h2 id="pay">${t.choose}</h2>
<p class="due"><span>${t.toPay}</span> <strong>${amount}</strong></p>
<p>${deadline(view, t.payBefore, formats.dayAndTime(view.expireAt))}</p>
${view.forms.map((form) => payForm(form, `${path}/pay?lang=${language}`, t.pay(amount, form.name)))}
${view.forms.length === 0 ? html`<p>${t.noMethods}</p>` : html`<p class="faint">${t.chooseHint}</p>`}
${identification(view, { texts })}
</section>`;
}

function deadline({ expireAt }: PageView, say: (time: string) => string, time: string): Part {
  const [before = '', after = ''] = say('\n').split('\n');
  return html`${before}${timeTag(expireAt, time)}${after}`;
}

function payForm({ value, formNonce }: PageForm, action: string, label: string): Html {
  return html`<form method="post" action="${action}">
<input type="hidden" name="paymentMethod" value="${value}"><input type="hidden" name="formNonce" value="${formNonce}">
<button>${label}</button>
</form>`;
}

/**
 * While an attempt runs: back to the provider, or to another method. Each is a form, because a link has no effect. Who has
 * just paid is not asked to pay once more, and finds both behind a link.
 */
function choices({ path, language, isReturned = false }: ShownPage, { texts }: PageWords): Html {
  const t = texts.processing;
  if (isReturned) {
    return html`<section class="card choices">
<p><a href="${path}/return?lang=${language}">${t.refresh}</a></p>
<p><a href="${path}?lang=${language}">${t.returned.choices}</a></p>
</section>`;
  }
  const formTo = (action: string, label: string, hint: string, style: string) =>
    html`<form method="post" action="${path}/${action}?lang=${language}"><p>${hint}</p><button class="${style}">${label}</button></form>`;
  return html`<section class="card choices">
<p><a href="${path}?lang=${language}">${t.refresh}</a></p>
${formTo('pay', t.goOn, t.goOnHint, 'second')}
${formTo('other-method', t.other, t.otherHint, 'second')}
</section>`;
}

function identification({ orderId, sellerName }: PageView, { texts }: Pick<PageWords, 'texts'>): Html {
  return html`<p class="faint">${texts.reference(orderId)}${sellerName !== undefined && html`<br>${texts.seller(sellerName)}`}</p>`;
}

function noticeView({ title, text }: Notice, t: PageTexts): Html {
  return html`<div class="notice" role="alert"><h2><span class="hidden">${t.error}: </span>${title}</h2><p>${text}</p></div>`;
}

function watchedState({ view, path, language, isReturned = false }: ShownPage): WatchedState | undefined {
  const everySeconds = WATCH_SECONDS[view.status];
  if (everySeconds === undefined) return undefined;
  const page = `${path}${isReturned ? '/return' : ''}?lang=${language}`;
  return { status: view.status, url: isReturned ? page : `${path}/status`, page, everySeconds };
}
