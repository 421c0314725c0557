/** The page that a customer sees for each state of a session: plain forms without script. Pure. */
import { type Html, html } from '../../../api/shared/pages/html.ts';
import { fractionDigits } from '../../../workflows/shared/money.ts';
import { grouped, TEST_CARDS } from '../cards.ts';
import { wantsChallenge } from '../rules.ts';
import type { Session } from '../session.ts';
import { type Texts, textsOf } from './texts.ts';

const CARDS: ReadonlySet<string> = new Set(['VISA', 'MASTERCARD', 'AMEX']);

export interface View {
  readonly session: Session;
  /** What the customer wrote when it is no test card. */
  readonly refused?: boolean;
  /** Where the way back leads. */
  readonly backUri: string;
}

/** Without a card among the methods, the customer approves in an app. */
export function isAppSession({ app, methods }: Session): boolean {
  return app !== undefined || (methods.length > 0 && !methods.some((method) => CARDS.has(method)));
}

export function terminalPage(view: View): string {
  const { session } = view;
  const texts = textsOf(session.language);
  const { title, content } = chooseContent(view, texts);
  return page(
    texts,
    title,
    html`
    <div class="panel">
      <h1>${title}</h1>
      ${summary(session, texts)}
      ${content}
    </div>
    ${session.status === 'OPEN' && !isAppSession(session) && testCards(texts)}`,
  );
}

function chooseContent(view: View, texts: Texts): { title: string; content: Html } {
  const { session, backUri } = view;
  if (session.status === 'OPEN') {
    return isAppSession(session)
      ? { title: texts.appTitle, content: appForm(session, texts) }
      : { title: texts.title, content: cardForm(view, texts) };
  }
  if (wantsChallenge(session)) return { title: texts.challengeTitle, content: challengeForm(session, texts) };
  const isDone = session.status === 'AUTHORISED';
  const content = html`<p>${isDone ? texts.doneText : texts.overText}</p>
    <p class="actions"><a class="button" href="${backUri}">${texts.back}</a></p>`;
  return { title: isDone ? texts.doneTitle : texts.overTitle, content };
}

function summary({ amountMinor, currency, reference, language }: Session, texts: Texts): Html {
  return html`<dl class="summary">
      <div><dt>${texts.amount}</dt><dd class="amount">${money(amountMinor, currency, language)}</dd></div>
      <div><dt>${texts.reference}</dt><dd class="reference">${reference}</dd></div>
    </dl>`;
}

function money(amountMinor: number, currency: string, language: string): string {
  const digits = fractionDigits(currency);
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(textsOf(language).lang, { style: 'currency', currency, ...shown });
  return format.format(amountMinor / 10 ** digits);
}

function cardForm({ session, refused }: View, texts: Texts): Html {
  return html`<form method="post" action="/terminal/${session.terminal}">
      <label for="cardNumber">${texts.cardNumber}</label>
      <input id="cardNumber" name="cardNumber" autocomplete="cc-number" inputmode="numeric" maxlength="30" required
        aria-describedby="${refused ? 'fault ' : ''}hint"${refused && html` aria-invalid="true" autofocus`}>
      ${refused && html`<p id="fault" class="fault" role="alert">${texts.notTestCard}</p>`}
      <p id="hint" class="hint">${texts.cardHint}</p>
      ${buttons(['pay', texts.pay], ['cancel', texts.cancel])}
    </form>`;
}

function challengeForm({ terminal, last4, brand }: Session, texts: Texts): Html {
  return html`<p class="bank"><strong>3-D Secure</strong> ${brand} •••• ${last4}</p>
    <p>${texts.challengeText}</p>
    <form method="post" action="/terminal/${terminal}/3-d-secure">
      ${buttons(['approve', texts.approve], ['decline', texts.decline])}
    </form>`;
}

function appForm({ terminal, app, methods }: Session, texts: Texts): Html {
  return html`<p>${texts.appText}</p>
    <dl class="summary">
      <div><dt>${texts.method}</dt><dd>${methods.join(', ')}</dd></div>
      ${app && html`<div><dt>${texts.phone}</dt><dd>••• ${app.phoneEnd}</dd></div>`}
    </dl>
    ${app && html`<p class="description">${app.description}</p>`}
    <form method="post" action="/terminal/${terminal}">
      ${buttons(['pay', texts.approvePayment], ['cancel', texts.cancel])}
    </form>`;
}

type Button = readonly [name: string, title: string];

function buttons([yes, yesTitle]: Button, [no, noTitle]: Button): Html {
  return html`<p class="actions">
      <button class="button" name="${yes}" value="1">${yesTitle}</button>
      <button class="button quiet" name="${no}" value="1" formnovalidate>${noTitle}</button>
    </p>`;
}

export function testCards(texts: Texts): Html {
  return html`<section class="panel cards" aria-labelledby="cards">
      <h2 id="cards">${texts.cards}</h2>
      <dl>
        ${TEST_CARDS.map(
          ({ number, brand, behaviour }) => html`<div><dt><code>${grouped(number)}</code> <span>${brand}</span></dt>
          <dd>${texts.behaviours[behaviour]}</dd></div>`,
        )}
      </dl>
    </section>`;
}

export function page(texts: Texts, title: string, content: Html): string {
  return html`<!doctype html>
<html lang="${texts.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header><p>${texts.banner}</p></header>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`.markup;
}
