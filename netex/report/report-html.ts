/**
 * Writes a report as one self-contained page: filter, sort, search, a link to each finding, Norwegian and English.
 *
 * Callers: the handler that serves the report. Give the response the header `reportPageCsp(nonce)` with the same
 * fresh nonce. The page carries at most 10,000 findings, the most severe first; its counts are complete. Everything
 * from the dataset is escaped in markup, and the JSON contains no `<`.
 */
import { readFileSync } from 'node:fs';
import { findRule } from '../rules/catalogue.ts';
import { splitExample } from '../rules/example-parts.ts';
import { changes } from './page/changes.ts';
import { escapeHtml, fileTable, findingList, perRule, verdict } from './page/sections.ts';
import { type PageLanguage, pageTexts } from './page/texts.ts';
import type { ComparedFinding, ReportSummary } from './report-types.ts';

export const LISTED_IN_PAGE = 10_000;
const PIECE = 64 * 1024;

const style = readFileSync(new URL('./page/style.css', import.meta.url), 'utf8');
const client = readFileSync(new URL('./page/client.js', import.meta.url), 'utf8');

export interface PageOptions {
  /** Fresh for each response, base64. */
  readonly nonce: string;
  readonly language: PageLanguage;
}

/** Allows no external resources, frames or forms. */
export function reportPageCsp(nonce: string): string {
  return (
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  );
}

export async function* reportToHtml(
  summary: ReportSummary,
  findings: Iterable<ComparedFinding> | AsyncIterable<ComparedFinding>,
  { nonce, language }: PageOptions,
): AsyncGenerator<string> {
  yield pageHead(summary, nonce, language);
  const cut: CutList = { listed: 0, leftOut: 0 };
  yield* findingRows(findings, cut);
  yield pageTail(cut, nonce, language);
}

interface CutList {
  listed: number;
  leftOut: number;
}

/** Errors come first; milder findings are held back and fill the remaining places. */
async function* findingRows(
  findings: Iterable<ComparedFinding> | AsyncIterable<ComparedFinding>,
  cut: CutList,
): AsyncGenerator<string> {
  const milder: string[] = [];
  let number = 0;
  let piece = '';
  const take = (row: string): void => {
    piece += `${cut.listed++ === 0 ? '\n' : ',\n'}${row}`;
  };
  for await (const finding of findings) {
    const severe = finding.severity === 'CRITICAL' || finding.severity === 'ERROR';
    if (severe ? cut.listed >= LISTED_IN_PAGE : milder.length >= LISTED_IN_PAGE) cut.leftOut++;
    else if (severe) take(rowJson(finding, number));
    else milder.push(rowJson(finding, number));
    number++;
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    }
  }
  const place = LISTED_IN_PAGE - cut.listed;
  cut.leftOut += Math.max(0, milder.length - place);
  for (const row of milder.slice(0, place)) take(row);
  yield piece;
}

/** The number is the finding's place in the report; links contain it. */
function rowJson(finding: ComparedFinding, number: number): string {
  const { code, severity, message, objectId, fileName, lineNumber, columnNumber, new: isNew } = finding;
  return json([number, code, severity, message, objectId, fileName, lineNumber, columnNumber, isNew ?? null]);
}

/** Safe inside a script element, where the parser looks for `</script` and `<!--`. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function pageHead(summary: ReportSummary, nonce: string, language: PageLanguage): string {
  const t = pageTexts[language];
  const rules = Object.fromEntries(
    codesOf(summary).flatMap((code) => {
      const rule = findRule(code);
      if (!rule) return [];
      const { name, meaning, mend, example } = rule;
      return [[code, { name, meaning, mend, example: splitExample(example) }]];
    }),
  );
  const { codespace } = summary;
  const data = json({ language, codespace, sort: 'severity.up', texts: pageTexts, rules }).slice(0, -1);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(`${t.title} – ${summary.codespace}`)}</title>
<link rel="icon" href="data:,">
<style nonce="${escapeHtml(nonce)}">
${style}</style>
</head>
<body>
<a class="skip" href="#list" data-text="skip">${t.skip}</a>
<div class="page">
<header>
<h1 data-text="title">${t.title}</h1>
<button type="button" id="language" data-text="other">${t.other}</button>
</header>
<main>
${verdict(summary, language)}
${perRule(summary, language)}
${findingList(language, summary.comparison?.complete === true)}
${changes(summary, language)}
${fileTable(summary, language)}
</main>
</div>
<script type="application/json" id="data">${data},"findings":[`;
}

/** Codes of current findings and of gone ones. */
function codesOf({ findingsPerRule, comparison }: ReportSummary): string[] {
  return [...new Set([...Object.keys(findingsPerRule), ...Object.keys(comparison?.perRule ?? {})])];
}

function pageTail(cut: CutList, nonce: string, language: PageLanguage): string {
  const note =
    cut.leftOut === 0
      ? ''
      : `<p class="page faint">${pageTexts[language].cut.replace('{listed}', String(cut.listed))}</p>\n`;
  return `\n]}</script>
${note}<script nonce="${escapeHtml(nonce)}">
${client}</script>
</body>
</html>
`;
}
