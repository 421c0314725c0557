/** The mail that brings tickets: what they are for, and the journey, without images. The tickets are attached as PDF. */
import { MAIL_STYLES, type MailHtml, mailFacts, mailHtml, mailPage } from '../../shared/pdf/mail-html.ts';
import type { RenderedMail } from '../../shared/pdf/rendered-mail.ts';
import type { CallView, LegView } from './leg-view.ts';
import type { TicketSheet } from './ticket-sheet.ts';
import { type Fact, type TicketView, viewTicket } from './ticket-view.ts';
import { SPECIMEN, type TicketWords, ticketWords } from './ticket-words.ts';

/** In the language of the first sheet. */
export function renderTicketMail(sheets: readonly TicketSheet[]): RenderedMail {
  const [first] = sheets;
  if (first === undefined) throw new RangeError('A mail needs one ticket at least');
  const words = ticketWords(first.language);
  const views = sheets.map(viewTicket);
  const contents = [...new Set(views.map(({ about }) => about))];
  const name = sheets.length === 1 ? words.ticket : words.tickets;
  const subject = `${name} ${first.orderId}: ${contents.slice(0, 2).join('; ')}`.replace(/\s+/g, ' ');
  const specimen = sheets.some(({ specimen }) => specimen);
  return {
    subject: specimen ? `${SPECIMEN}: ${subject}` : subject,
    html: mailPage(subject, first.language, [
      introduction(first, words, attachedText(sheets, words), specimen),
      ...views.map((view) => ticketCard(view, words)),
    ]),
    text: [
      ...(specimen ? [words.specimenText, ''] : []),
      attachedText(sheets, words),
      words.keep,
      '',
      `${words.order}: ${first.orderId}`,
      ...views.flatMap((view) => ['', ...textOf(view, words)]),
      '',
    ].join('\n'),
  };
}

/** A traveller must not travel with an earlier ticket. */
function attachedText(sheets: readonly TicketSheet[], words: TicketWords): string {
  const attached = words.attached(sheets.length);
  return sheets.some(({ isSuccessor }) => isSuccessor) ? `${attached} ${words.replaces}` : attached;
}

function introduction(
  { issuer, orderId }: TicketSheet,
  words: TicketWords,
  attached: string,
  specimen: boolean,
): MailHtml {
  return mailHtml`<p class="accent" style="${MAIL_STYLES.subheading}; margin-top: 0">${issuer}</p>
${specimen && mailHtml`<p class="ink" style="${MAIL_STYLES.strong}; margin-bottom: 8px">${words.specimenText}</p>`}
<p class="ink" style="${MAIL_STYLES.text}">${attached} ${words.keep}</p>
<p class="ink" style="${MAIL_STYLES.text}; margin-top: 12px"><span class="faint" style="${MAIL_STYLES.faint}">${words.order}</span> <strong>${orderId}</strong></p>`;
}

function ticketCard(view: TicketView, words: TicketWords): MailHtml {
  return mailHtml`<h1 class="ink" style="${MAIL_STYLES.heading}">${view.title}</h1>
<p class="ink" style="${MAIL_STYLES.text}">${view.when}</p>
<h2 class="accent" style="${MAIL_STYLES.subheading}">${words.ticket}</h2>
${mailFacts(view.facts)}
<h2 class="accent" style="${MAIL_STYLES.subheading}">${words.travellers}</h2>
${view.travellers.map(
  ({
    value,
    note,
  }) => mailHtml`<p class="ink" style="${MAIL_STYLES.text}"><strong>${value}</strong>${note !== undefined && mailHtml` <span class="faint" style="${MAIL_STYLES.faint}">${note}</span>`}</p>
`,
)}
${
  view.legs.length > 0 &&
  mailHtml`<h2 class="accent" style="${MAIL_STYLES.subheading}">${words.journey}</h2>
${view.legs.map(legOf)}`
}
<p class="faint" style="${MAIL_STYLES.faint}; margin-top: 20px">${view.footer}</p>`;
}

/** Times in a column of their own. */
function legOf({ from, to, line, seats }: LegView): MailHtml {
  const row = (time: string, content: MailHtml) => mailHtml`<tr>
<td class="ink" style="${`${MAIL_STYLES.strong}; width: 58px; vertical-align: top`}">${time}</td>
<td>${content}</td>
</tr>
`;
  const call = ({ day, time, name }: CallView) => [
    day !== undefined && row('', mailHtml`<p class="faint" style="${MAIL_STYLES.faint}">${day}</p>`),
    row(time, mailHtml`<p class="ink" style="${MAIL_STYLES.strong}">${name}</p>`),
  ];
  const between = [line, ...seats].filter((text) => text !== '').join(' · ');
  return mailHtml`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 14px">
${call(from)}${row('', mailHtml`<p class="faint" style="${MAIL_STYLES.faint}">${between}</p>`)}${call(to)}</table>
`;
}

function textOf(view: TicketView, words: TicketWords): readonly string[] {
  const noted = ({ value, note }: Fact) => (note === undefined ? value : `${value} (${note})`);
  return [
    view.title,
    view.when,
    '',
    ...view.facts.map((fact) => `${fact.label}: ${noted(fact)}`),
    `${words.travellers}: ${view.travellers.map(noted).join(', ')}`,
    ...view.legs.flatMap(({ from, to, line, seats }) => [
      '',
      ...callText(from),
      `  ${[line, ...seats].join(' · ')}`,
      ...callText(to),
    ]),
    '',
    view.footer,
  ];
}

function callText({ day, time, name }: CallView): readonly string[] {
  return [...(day === undefined ? [] : [day]), `${time} ${name}`.trim()];
}
