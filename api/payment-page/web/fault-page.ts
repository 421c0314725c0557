/** Pages without a link: it is not valid, or something went wrong. They name no order and no seller. Pure. */
import { html } from '../../shared/pages/html.ts';
import { layout } from './layout.ts';
import { type PageLanguage, TEXTS } from './texts/languages.ts';

export type FaultName = 'notValid' | 'tooMany' | 'fault' | 'refused';

export function faultPage(name: FaultName, language: PageLanguage): string {
  const { title, paragraphs } = TEXTS[language][name];
  return layout({
    language,
    title,
    main: html`<h1>${title}</h1>
<div class="card state">${paragraphs.map((text) => html`<p>${text}</p>`)}</div>`,
  });
}
