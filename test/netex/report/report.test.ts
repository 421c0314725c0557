import assert from 'node:assert/strict';
import type { Finding } from '../../../netex/finding.ts';
import { reportToCsv } from '../../../netex/report/report-csv.ts';
import { LISTED_IN_PAGE, reportPageCsp, reportToHtml } from '../../../netex/report/report-html.ts';
import { readReport, writeReport } from '../../../netex/report/report-stream.ts';
import type { ReportSummary } from '../../../netex/report/report-types.ts';

const summary: ReportSummary = {
  codespace: 'abc',
  correlationId: 'c0a80101-0000-4000-8000-000000000001',
  importKey: 'abc_2026-11-21T10_00_00.000',
  fileName: 'abc.zip',
  createdAt: '2026-11-21T10:00:00.000+00:00',
  valid: false,
  schemaVersions: ['1.13'],
  files: [{ name: 'ABC_1.xml', bytes: 1200, kind: 'line', lines: 1, serviceJourneys: 7 }],
  findingsPerRule: { NETEX_ID_5: 1 },
};

function finding(changes: Partial<Finding> = {}): Finding {
  return {
    code: 'NETEX_ID_5',
    name: 'NeTEx ID unresolved reference',
    severity: 'ERROR',
    message: 'LineRef refers to ABC:Line:9, which is nowhere.',
    objectId: 'ABC:Route:1',
    fileName: 'ABC_1.xml',
    lineNumber: 12,
    columnNumber: 9,
    ...changes,
  };
}

async function text(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}

describe('report as JSON', () => {
  it('matches the interface completely', async () => {
    const written = await text(writeReport(summary, [finding(), finding({ lineNumber: null, columnNumber: null })]));
    const report = JSON.parse(written) as Record<string, unknown>;
    assert.deepEqual(report, {
      ...summary,
      findings: [finding(), finding({ lineNumber: null, columnNumber: null })],
    });
    assert.deepEqual(Object.keys(report), [...Object.keys(summary), 'findings']);
  });

  it('is parsed as a stream for every division into chunks', async () => {
    const findings = Array.from({ length: 500 }, (_, n) => finding({ lineNumber: n, message: `Bø "${n}"\n],` }));
    const bytes = new TextEncoder().encode(await text(writeReport(summary, findings)));
    for (const size of [1, 1000, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      const read = await readReport(chunks);
      assert.deepEqual(read.summary, summary);
      assert.deepEqual(await Array.fromAsync(read.findings), findings);
    }
  });

  it('may have no findings, and is refused when truncated', async () => {
    const written = await text(writeReport(summary, []));
    assert.deepEqual(await Array.fromAsync((await readReport([written])).findings), []);
    await assert.rejects(Array.fromAsync((await readReport([written.slice(0, -3)])).findings), /cut short/);
    await assert.rejects(readReport(['{}']), /not a stored report/);
  });
});

describe('report as CSV', () => {
  const rows = async (...findings: Finding[]) => (await text(reportToCsv(summary, findings))).split('\r\n');

  it('has a head and a row for each finding, in CRLF lines', async () => {
    assert.deepEqual(await rows(finding()), [
      'severity,code,name,message,objectId,fileName,lineNumber,columnNumber,new',
      'ERROR,NETEX_ID_5,NeTEx ID unresolved reference,"LineRef refers to ABC:Line:9, which is nowhere.",ABC:Route:1,ABC_1.xml,12,9,',
      '',
    ]);
  });

  it('quotes where necessary, and leaves unknown values empty', async () => {
    const [, row] = await rows(finding({ message: 'say "x"', objectId: null, lineNumber: null, columnNumber: null }));
    assert.equal(row, 'ERROR,NETEX_ID_5,NeTEx ID unresolved reference,"say ""x""",,ABC_1.xml,,,');
  });

  it('shows formulas as text', async () => {
    for (const start of ['=', '+', '-', '@', ' =', '\t=', '\r=', '|']) {
      const [, row] = (await text(reportToCsv(summary, [finding({ objectId: `${start}cmd()`, message: 'm' })]))).split(
        '\r\nERROR',
      );
      assert.match(`ERROR${row}`, /^ERROR,NETEX_ID_5,[^,]*,m,"?'/, JSON.stringify(start));
    }
  });
});

describe('report as CSV, read with another separator', () => {
  const cellOf = async (objectId: string) => {
    const whole = await text(reportToCsv(summary, [finding({ objectId, message: 'm' })]));
    return /,m,([\s\S]*),ABC_1\.xml,/.exec(whole)?.[1];
  };

  it('shows formulas behind a separator as text', async () => {
    for (const [objectId, cell] of [
      ['x;=cmd()', `"x;'=cmd()"`],
      ['x\t@cmd()', `"x\t'@cmd()"`],
      ['x; =cmd()', `"x;' =cmd()"`],
      ['x;\n=cmd()', `"x;\n'=cmd()"`],
      ['x;"=cmd()"', `"x;'""=cmd()"""`],
      ['=a;=b', `"'=a;'=b"`],
    ] as const)
      assert.equal(await cellOf(objectId), cell);
  });

  it('quotes every text with a separator and every formula', async () => {
    for (const objectId of ['a;b', 'a\tb', '=a', '-1', ' @a'])
      assert.match((await cellOf(objectId)) ?? '', /^"[\s\S]*"$/, objectId);
    assert.equal(await cellOf('a-b=c'), 'a-b=c');
  });
});

describe('report as page', () => {
  const options = { nonce: 'bm9uY2U=', language: 'en' } as const;
  const page = async (findings: Finding[], changes: Partial<ReportSummary> = {}) =>
    await text(reportToHtml({ ...summary, ...changes }, findings, options));

  it('names no other host, and its scripts and styles carry the nonce of the policy', async () => {
    const html = await page([finding()]);
    assert.deepEqual(html.match(/(src|href)="(?!data:|#)[^"]*"/g), null);
    assert.equal(html.match(/<(script|style)(?! type="application\/json")[^>]*>/g)?.length, 2);
    assert.equal(html.match(/nonce="bm9uY2U="/g)?.length, 2);
    assert.deepEqual(html.match(/ on[a-z]+=| style="/g), null);
    assert.match(
      reportPageCsp('bm9uY2U='),
      /^default-src 'none'; script-src 'nonce-bm9uY2U='; style-src 'nonce-bm9uY2U='/,
    );
  });

  it('escapes all text of the dataset', async () => {
    const attack = `</script><img src=x onerror=alert(1)>'"&<!--`;
    const html = await page([finding({ message: attack, objectId: attack, fileName: attack })], {
      fileName: attack,
      codespace: attack,
      files: [{ name: attack, bytes: 1, kind: 'line', lines: 0, serviceJourneys: 0 }],
    });
    assert.equal(html.includes('<img'), false);
    assert.equal(html.match(/<\/script>/g)?.length, 2);
    const data = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    assert.equal((JSON.parse(data) as { findings: unknown[][] }).findings[0]?.[3], attack);
  });

  it(`lists ${LISTED_IN_PAGE} findings, the severe ones first, and states that there are more`, async () => {
    const many = Array.from({ length: 15_000 }, (_, n) =>
      finding({ severity: n % 5 === 4 ? 'ERROR' : 'INFO', lineNumber: n }),
    );
    const html = await page(many);
    const data = /id="data">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    const { findings } = JSON.parse(data) as { findings: unknown[][] };
    assert.equal(findings.length, LISTED_IN_PAGE);
    assert.equal(findings.filter(([, , severity]) => severity === 'ERROR').length, 3_000);
    assert.match(html, /This page lists 10000 findings/);
  });

  it('exists in Norwegian', async () => {
    const html = await text(reportToHtml(summary, [finding()], { ...options, language: 'nb' }));
    assert.match(html, /<html lang="nb">[\s\S]*Valideringsrapport[\s\S]*Ikke gyldig/);
  });
});
