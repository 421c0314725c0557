/** Comparison with the import before: new, unchanged and removed findings. */
import assert from 'node:assert/strict';
import type { Finding } from '../../../netex/finding.ts';
import { compareReports, GONE_LISTED_PER_RULE } from '../../../netex/report/compare-reports.ts';
import { reportToCsv } from '../../../netex/report/report-csv.ts';
import { COMPARED_AT_MOST, ReportIdentities } from '../../../netex/report/report-identities.ts';
import { readReport, writeReport } from '../../../netex/report/report-stream.ts';

const IMPORT = { correlationId: 'c', importKey: 'abc_2026', createdAt: '2026-11-20T10:00:00.000Z' };

const finding = (code: string, message: string, lineNumber = 1): Finding => ({
  code,
  name: code,
  severity: 'ERROR',
  message,
  objectId: 'ABC:Line:1',
  fileName: 'ABC_line.xml',
  lineNumber,
  columnNumber: 1,
});

async function* stream(findings: Iterable<Finding>): AsyncGenerator<Finding> {
  yield* findings;
}

/** Makes a report in the form that the next comparison reads: its identities are stored and read again. */
async function report(findings: readonly Finding[], counts?: Record<string, number>) {
  const findingsPerRule: Record<string, number> = {};
  for (const { code } of findings) findingsPerRule[code] = (findingsPerRule[code] ?? 0) + 1;
  const identities = await ReportIdentities.of(stream(findings));
  assert.ok(identities);
  return {
    findingsPerRule: counts ?? findingsPerRule,
    identities: ReportIdentities.open(identities.bytes()),
    findings: () => stream(findings),
  };
}

async function compare(before: readonly Finding[], now: readonly Finding[]) {
  const current = await report(now);
  const { comparison, mark } = await compareReports({ ...(await report(before)), import: IMPORT }, current);
  return { comparison, marked: await Array.fromAsync(mark(current.findings())) };
}

describe('a report compared with the one before', () => {
  it('distinguishes new, unchanged and removed findings, by rule and one by one', async () => {
    const { comparison, marked } = await compare(
      [finding('LINE_2', 'a'), finding('LINE_3', 'b')],
      [finding('LINE_2', 'a'), finding('LINE_2', 'c')],
    );
    assert.deepEqual(comparison.perRule, {
      LINE_2: { new: 1, same: 1, gone: 0 },
      LINE_3: { new: 0, same: 0, gone: 1 },
    });
    assert.deepEqual(
      marked.map((one) => one.new),
      [false, true],
    );
    assert.deepEqual(comparison.gone, [finding('LINE_3', 'b')]);
    assert.deepEqual(comparison.with, IMPORT);
    assert.deepEqual([comparison.complete, comparison.partial], [true, []]);
  });

  it('treats a moved finding as the same', async () => {
    const before = [finding('LINE_2', 'the id stands on line 12, too', 20)];
    const { comparison } = await compare(before, [finding('LINE_2', 'the id stands on line 300, too', 31)]);
    assert.deepEqual(comparison.perRule, { LINE_2: { new: 0, same: 1, gone: 0 } });
  });

  it('treats a finding with another file, element, message or rule as another', async () => {
    const one = finding('LINE_2', 'a');
    const others = [
      { ...one, fileName: 'x' },
      { ...one, objectId: 'y' },
      { ...one, message: 'z' },
      { ...one, code: 'LINE_3' },
    ];
    const { marked } = await compare([one], others);
    assert.ok(marked.every((other) => other.new));
  });

  it('lists a limited number of removed findings, and counts all', async () => {
    const before = Array.from({ length: 80 }, (_, number) => finding('LINE_2', `number ${number}`));
    const { comparison } = await compare(before, []);
    assert.equal(comparison.gone.length, GONE_LISTED_PER_RULE);
    assert.equal(comparison.perRule.LINE_2?.gone, 80);
  });

  it('names the rules whose lists are incomplete', async () => {
    const current = await report([finding('LINE_2', 'a')], { LINE_2: 900 });
    const { comparison } = await compareReports({ ...(await report([])), import: IMPORT }, current);
    assert.deepEqual(comparison.partial, ['LINE_2']);
  });

  it('compares nothing when there are too many findings', async () => {
    const one = finding('LINE_2', 'a');
    const many = Array.from({ length: COMPARED_AT_MOST + 1 }, () => one);
    const current = { findingsPerRule: {}, identities: await ReportIdentities.of(stream(many)) };
    const { comparison } = await compareReports({ ...(await report([one])), import: IMPORT }, current);
    assert.equal(comparison.complete, false);
  });

  it('refuses malformed identities', () => {
    assert.throws(() => ReportIdentities.open(new Uint8Array(7)), /no identities/);
  });

  it('is stored, read and written as CSV', async () => {
    const summary = {
      codespace: 'abc',
      correlationId: 'd',
      fileName: 'a.zip',
      createdAt: '',
      valid: false,
      schemaVersions: [],
      files: [],
      findingsPerRule: { LINE_2: 1 },
    };
    const { comparison, marked } = await compare([], [finding('LINE_2', 'a')]);
    const stored = await readReport(writeReport({ ...summary, comparison }, marked));
    assert.deepEqual(stored.summary.comparison, comparison);
    const csv = (await Array.fromAsync(reportToCsv(stored.summary, stored.findings))).join('');
    assert.match(csv, /columnNumber,new\r\n.*,1,1,true\r\n$/s);
  });
});
