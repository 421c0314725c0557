/** The HTML of the in-box. Everything that came by mail is escaped; a mail's own HTML is shown only inside a sandboxed frame. */
import type { Message, MessageSummary } from './mail-box.ts';
import { type Language, TEXTS } from './texts.ts';

export function listPage(messages: readonly MessageSummary[], language: Language): string {
  const t = TEXTS[language];
  const rows = messages.map(
    (each) => `<tr>
      <td>${time(each.receivedAt, language)}</td>
      <td>${escapeHtml(each.from)}</td>
      <td>${escapeHtml(each.recipients.join(', '))}</td>
      <td><a href="/messages/${each.id}?lang=${language}">${escapeHtml(each.subject || t.noSubject)}</a></td>
    </tr>`,
  );
  const heads = [t.received, t.from, t.to, t.subject].map((head) => `<th scope="col">${head}</th>`).join('');
  const table = `<table><thead><tr>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  const newest = messages[0]?.id ?? '';
  const body = `<p>${t.about}</p>
  <p role="status" id="news" data-newest="${newest}"><a href="/?lang=${language}" hidden>${t.newMail}</a></p>
  ${messages.length === 0 ? `<p>${t.empty}</p>` : table}`;
  return page(t.title, body, language, '/');
}

export function messagePage(message: Message, language: Language): string {
  const t = TEXTS[language];
  const base = `/messages/${message.id}`;
  const attachments = message.attachments.map(
    ({ filename, mimeType, sizeBytes }, index) =>
      `<li><a href="${base}/attachments/${index}">${escapeHtml(filename)}</a> (${escapeHtml(mimeType)}, ${size(sizeBytes)})</li>`,
  );
  const parts = [
    message.html === undefined
      ? ''
      : `<h2>${t.htmlPart}</h2><iframe sandbox="allow-popups allow-popups-to-escape-sandbox" src="${base}/html" title="${t.htmlPart}"></iframe>`,
    message.text === undefined ? '' : `<h2>${t.textPart}</h2><pre>${escapeHtml(message.text)}</pre>`,
    attachments.length === 0 ? '' : `<h2>${t.attachments}</h2><ul>${attachments.join('')}</ul>`,
  ];
  const body = `<p><a href="/?lang=${language}">${t.back}</a></p>
  <dl>
    <dt>${t.received}</dt><dd>${time(message.receivedAt, language)}</dd>
    <dt>${t.from}</dt><dd>${escapeHtml(message.from)}</dd>
    <dt>${t.to}</dt><dd>${escapeHtml(message.to.join(', ') || message.recipients.join(', '))}</dd>
  </dl>
  ${parts.join('\n')}
  <p><a href="${base}/raw">${t.raw}</a></p>`;
  return page(message.subject || t.noSubject, body, language, base);
}

export function notFoundPage(language: Language): string {
  const t = TEXTS[language];
  return page(t.title, `<p>${t.notFound}</p><p><a href="/?lang=${language}">${t.back}</a></p>`, language, '/');
}

function page(title: string, body: string, language: Language, path: string): string {
  const other = language === 'nb' ? 'en' : 'nb';
  return `<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/page.css">
  <script src="/page.js" defer></script>
</head>
<body>
<header><a href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${TEXTS[language].otherLanguage}</a></header>
<main>
  <h1>${escapeHtml(title)}</h1>
  ${body}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}

function time(iso: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language === 'nb' ? 'nb-NO' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
  return `<time datetime="${iso}">${format.format(new Date(iso))}</time>`;
}

function size(bytes: number): string {
  return bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
}

export const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; background: light-dark(#fff, #16181d); color: light-dark(#1b1d22, #e8eaee); }
header { text-align: right; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
a { color: light-dark(#0a4fa3, #8ec1ff); }
a:focus-visible { outline: 3px solid; outline-offset: 2px; border-radius: 2px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid light-dark(#cfd3da, #3a3f49); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid light-dark(#cfd3da, #3a3f49); border-radius: 4px; }
iframe { width: 100%; height: 70vh; border: 1px solid light-dark(#cfd3da, #3a3f49); border-radius: 4px; background: #fff; color-scheme: light; }
@media (max-width: 40rem) { thead { position: absolute; clip-path: inset(50%); } tr { display: block; padding: .5rem 0; border-bottom: 1px solid light-dark(#cfd3da, #3a3f49); } td { display: block; border: 0; padding: 0; } }
`;

/** Says that there is new mail instead of changing the page under a reader. */
export const SCRIPT = `const news = document.getElementById('news');
if (news) setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch('/api/messages').catch(() => undefined);
  if (!answer?.ok) return;
  const { items } = await answer.json();
  if (items.length > 0 && items[0].id !== news.dataset.newest) news.firstElementChild.hidden = false;
}, 2000);
`;
