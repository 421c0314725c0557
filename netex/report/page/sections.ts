/** The markup parts of the report page; client.js fills the list of findings. Everything is escaped. */
import type { Severity } from '../../finding.ts';
import { findRule } from '../../rules/catalogue.ts';
import type { ReportSummary, RuleComparison } from '../report-types.ts';
import { type PageLanguage, pageTexts } from './texts.ts';

/** Limit of the table of files; the JSON has the whole list. */
const FILES_IN_PAGE = 2_000;
const SEVERITIES: readonly Severity[] = ['CRITICAL', 'ERROR', 'WARNING', 'INFO'];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export function verdict(summary: ReportSummary, language: PageLanguage): string {
  const t = pageTexts[language];
  const facts: Array<[keyof typeof t, string | undefined]> = [
    ['codespace', summary.codespace],
    ['file', summary.fileName],
    ['received', summary.createdAt],
    ['importKey', summary.importKey],
    ['schema', summary.schemaVersions.join(', ')],
    ['correlationId', summary.correlationId],
  ];
  const rows = facts
    .filter(([, value]) => value)
    .map(([key, value]) => `<div><dt data-text="${key}">${t[key]}</dt><dd>${escapeHtml(value ?? '')}</dd></div>`)
    .join('\n');
  const [word, hint] = summary.valid ? (['valid', 'validHint'] as const) : (['invalid', 'invalidHint'] as const);
  return `<section class="card verdict ${word}">
<strong data-text="${word}">${t[word]}</strong>
<div data-text="${hint}">${t[hint]}</div>
<dl>
${rows}
</dl>
</section>`;
}

/** Also lists rules that had findings only in the previous import: their disappearance is worth showing. */
export function perRule(summary: ReportSummary, language: PageLanguage): string {
  const t = pageTexts[language];
  const { comparison } = summary;
  const compared = comparison?.complete ? comparison.perRule : undefined;
  const rank = (code: string): number => SEVERITIES.indexOf(findRule(code)?.severity ?? 'INFO');
  const codes = [...new Set([...Object.keys(summary.findingsPerRule), ...Object.keys(compared ?? {})])];
  codes.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  if (codes.length === 0) return '';
  const changeHeads = compared
    ? `<th class="number" data-text="new">${t.new}</th><th class="number" data-text="gone">${t.gone}</th>`
    : '';
  return `<section class="card" id="rules">
<h2 data-text="perRule">${t.perRule}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${t.perRule}">
<table class="stack">
<thead><tr><th data-text="rule">${t.rule}</th><th></th><th class="number" data-text="count">${t.count}</th>${changeHeads}</tr></thead>
<tbody>
${codes.map((code) => ruleRow(code, summary, compared, language)).join('\n')}
</tbody>
</table>
</div>
<p class="faint" data-text="cutPerRule">${t.cutPerRule}</p>
</section>`;
}

function ruleRow(
  code: string,
  summary: ReportSummary,
  compared: Readonly<Record<string, RuleComparison>> | undefined,
  language: PageLanguage,
): string {
  const t = pageTexts[language];
  const count = summary.findingsPerRule[code] ?? 0;
  const escaped = escapeHtml(code);
  const more = summary.capped?.includes(code) ? ` <span data-text="capped">${t.capped}</span>` : '';
  const shown =
    count === 0 ? escaped : `<button type="button" class="plain code" data-pick-rule="${escaped}">${escaped}</button>`;
  const { new: added, gone } = compared?.[code] ?? { new: 0, gone: 0 };
  const changed = compared ? numberCell('new', `${added}`, language) + numberCell('gone', `${gone}`, language) : '';
  const listed = `<div class="faint" data-listed-of="${escaped}" data-count="${count}"></div>`;
  return (
    `<tr><td class="whole">${shown}</td><td class="whole">${escapeHtml(findRule(code)?.name ?? '')}</td>` +
    `${numberCell('count', `${count}${more}${listed}`, language)}${changed}</tr>`
  );
}

/** A narrow page hides the table head, so each cell carries its own label. */
function numberCell(key: keyof (typeof pageTexts)['en'], value: string, language: PageLanguage): string {
  return `<td class="number"><span class="label" data-text="${key}">${pageTexts[language][key]}</span> ${value}</td>`;
}

export function findingList(language: PageLanguage, compared: boolean): string {
  const t = pageTexts[language];
  const chips = ['', ...SEVERITIES]
    .map((severity) => {
      const key = (severity || 'all') as keyof typeof t;
      return `<button type="button" data-severity="${severity}" data-text="${key}" aria-pressed="${severity === ''}">${t[key]}</button>`;
    })
    .join('\n');
  const heads = (['severity', 'rule', 'message', 'place'] as const)
    .map(
      (key) =>
        `<th scope="col" data-sort="${key}" aria-sort="none"><button type="button" class="plain" data-text="${key}">${t[key]}</button></th>`,
    )
    .join('\n');
  return `<section class="card" id="list" tabindex="-1">
<h2 data-text="findings">${t.findings}</h2>
<noscript><p data-text="needsScript">${t.needsScript}</p></noscript>
<div class="filters" role="search">
<div class="chips" role="group">
${chips}
</div>
<label><span data-text="rule">${t.rule}</span><select id="rule"><option value="" data-text="all">${t.all}</option></select></label>
<label><span data-text="file">${t.file}</span><select id="file"><option value="" data-text="all">${t.all}</option></select></label>
<label class="search"><span data-text="search">${t.search}</span><input id="q" type="search" autocomplete="off"></label>
${compared ? `<label class="check"><input id="new" type="checkbox"> <span data-text="newOnly">${t.newOnly}</span></label>` : ''}
<button type="button" id="clear" data-text="clear">${t.clear}</button>
</div>
<p id="status" class="faint" role="status"></p>
<table id="table" hidden><caption hidden>${t.findings}</caption>
<thead><tr>
${heads}
<th></th>
</tr></thead>
<tbody id="rows"></tbody>
</table>
<p id="empty" hidden></p>
<div class="bottom"><button type="button" id="more" data-text="more" hidden>${t.more}</button></div>
<p class="faint" data-text="keys">${t.keys}</p>
</section>`;
}

export function fileTable(summary: ReportSummary, language: PageLanguage): string {
  const t = pageTexts[language];
  const rows = summary.files
    .slice(0, FILES_IN_PAGE)
    .map(({ name, kind, bytes, lines, serviceJourneys }) => {
      const key = kind === 'common' ? 'common' : 'lineFile';
      return (
        `<tr><td>${escapeHtml(name)}</td><td data-text="${key}">${t[key]}</td>` +
        numberCell('size', kilobytes(bytes), language) +
        numberCell('lines', `${lines}`, language) +
        `${numberCell('journeys', `${serviceJourneys}`, language)}</tr>`
      );
    })
    .join('\n');
  return `<section class="card">
<h2 data-text="files">${t.files}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${t.files}">
<table class="stack">
<thead><tr><th data-text="file">${t.file}</th><th></th><th class="number" data-text="size">${t.size}</th>
<th class="number" data-text="lines">${t.lines}</th><th class="number" data-text="journeys">${t.journeys}</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>
</section>`;
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}
