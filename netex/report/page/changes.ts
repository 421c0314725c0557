/** The part of the report page on changes since the last import: new findings and gone ones. */
import type { ReportSummary } from '../report-types.ts';
import { escapeHtml } from './sections.ts';
import { type PageLanguage, pageTexts } from './texts.ts';

export function changes({ comparison }: ReportSummary, language: PageLanguage): string {
  const t = pageTexts[language];
  if (!comparison) return '';
  const version = `<span class="object">${escapeHtml(comparison.with.importKey)}</span>`;
  const content = comparison.complete ? sums(comparison, language) : `<p data-text="notCompared">${t.notCompared}</p>`;
  return `<section class="card" id="changes">
<h2><span data-text="changes">${t.changes}</span> ${version}</h2>
${content}
</section>`;
}

type Comparison = NonNullable<ReportSummary['comparison']>;

function sums({ perRule, gone, partial }: Comparison, language: PageLanguage): string {
  const t = pageTexts[language];
  const sum = (key: 'new' | 'same' | 'gone'): number => Object.values(perRule).reduce((all, one) => all + one[key], 0);
  const facts = (['new', 'same', 'gone'] as const)
    .map((key) => `<div><dt data-text="${key}">${t[key]}</dt><dd>${sum(key)}</dd></div>`)
    .join('\n');
  const limits =
    partial.length === 0
      ? ''
      : `<p class="faint"><span data-text="partial">${t.partial}</span> ${escapeHtml(partial.join(', '))}</p>`;
  return `<dl>
${facts}
</dl>
${goneTable(gone, sum('gone'), language)}
${limits}`;
}

function goneTable(gone: Comparison['gone'], total: number, language: PageLanguage): string {
  const t = pageTexts[language];
  if (gone.length === 0) return '';
  const rows = gone
    .map(({ code, message, fileName, objectId }) => {
      const element = objectId === null ? '' : `<div class="object faint">${escapeHtml(objectId)}</div>`;
      return (
        `<tr><td class="whole">${escapeHtml(code)}</td><td>${escapeHtml(message)}${element}</td>` +
        `<td>${escapeHtml(fileName ?? '')}</td></tr>`
      );
    })
    .join('\n');
  return `<details>
<summary><span data-text="goneFindings">${t.goneFindings}</span> (${gone.length} / ${total})</summary>
<table class="stack">
<thead><tr><th scope="col" data-text="rule">${t.rule}</th><th scope="col" data-text="message">${t.message}</th><th scope="col" data-text="file">${t.file}</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</details>`;
}
