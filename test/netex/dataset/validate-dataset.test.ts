import assert from 'node:assert/strict';
import type { DatasetContext } from '../../../netex/dataset/dataset-outcome.ts';
import { validateDataset } from '../../../netex/dataset/validate-dataset.ts';
import { decodeFileResult, encodeFileResult, type FileResult } from '../../../netex/file-result.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import { ABC, anyFrame, file } from '../support/sample-files.ts';

const line = (name: string, ...elements: string[]) => file(name, anyFrame(elements.join('')));
const journey = (id: string) => `<ServiceJourney id="ABC:ServiceJourney:${id}" version="1"/>`;

/** Results are stored and read again, as between batches. */
async function validate(files: ReturnType<typeof file>[], context: Partial<DatasetContext> = {}) {
  const results = new Map<string, Uint8Array>();
  for (const one of files) results.set(one.name, encodeFileResult(validateFile(one, ABC)));
  const read = async (name: string): Promise<FileResult> => decodeFileResult(results.get(name) ?? assert.fail(name));
  return await validateDataset({ files, read }, { dataset: 'timetable', today: '2026-11-21', ...context });
}

describe('rules over a dataset', () => {
  it('NETEX_ID_1: an id belongs to one line file', async () => {
    assert.deepEqual((await validate([line('a.xml', journey('1')), line('b.xml', journey('2'))])).findingsPerRule, {});
    const { findings, findingsPerRule, valid } = await validate([
      line('a.xml', journey('1'), journey('2')),
      line('b.xml', '<Line id="ABC:Line:1" version="1"/>', journey('2')),
    ]);
    assert.deepEqual(findingsPerRule, { NETEX_ID_1: 1 });
    assert.equal(valid, false);
    const [finding] = findings;
    assert.deepEqual([finding?.fileName, finding?.objectId, finding?.lineNumber], ['b.xml', 'ABC:ServiceJourney:2', 1]);
    assert.equal(
      finding?.message,
      'ABC:ServiceJourney:2 is also defined in a.xml; expected each id in one file of the dataset.',
    );
  });

  it('NETEX_ID_1: an id may occur twice in its own file, and some kinds are usually repeated', async () => {
    const point = '<ScheduledStopPoint id="ABC:ScheduledStopPoint:1" version="1"/>';
    const { findingsPerRule } = await validate([
      line('a.xml', journey('1'), journey('1'), point),
      line('b.xml', point),
    ]);
    assert.deepEqual(findingsPerRule, {});
  });

  it('NETEX_ID_10: between common files it is a warning', async () => {
    assert.deepEqual(
      (await validate([line('_a.xml', journey('1')), line('_b.xml', journey('2'))])).findingsPerRule,
      {},
    );
    const { findingsPerRule, valid, findings } = await validate([
      line('_a.xml', journey('1')),
      line('_b.xml', journey('1')),
    ]);
    assert.deepEqual([findingsPerRule, valid], [{ NETEX_ID_10: 1 }, true]);
    assert.equal(findings[0]?.fileName, '_a.xml');
  });

  it('ERROR_VALIDATION_INCOMPLETE: a file that could not be validated is a finding of the dataset, too', async () => {
    const files = [line('a.xml', journey('1')), line('b.xml', journey('2'))];
    const read = async (name: string): Promise<FileResult> => {
      const result = validateFile(files.find((one) => one.name === name) ?? assert.fail(name), ABC);
      return name === 'b.xml' ? { ...result, counts: { SYSTEM_ERROR: 1 } } : result;
    };
    const context = { dataset: 'timetable', today: '2026-11-21' } as const;
    const { findings, findingsPerRule, valid } = await validateDataset({ files, read }, context);
    assert.deepEqual([findingsPerRule, valid], [{ ERROR_VALIDATION_INCOMPLETE: 1, SYSTEM_ERROR: 1 }, false]);
    assert.match(findings[0]?.message ?? '', /^1 of 2 files could not be validated/);
    assert.equal(findings[0]?.fileName, null);
  });

  it('severities of the profile decide validity', async () => {
    const files = [line('a.xml', journey('1'))];
    const read = async (): Promise<FileResult> => ({
      ...validateFile(files[0] ?? assert.fail(), ABC),
      counts: { AUTHORITY_4: 1 },
    });
    const isValidAs = async (profile: 'timetable' | 'sweden') =>
      (await validateDataset({ files, read }, { profile, dataset: 'timetable', today: '2026-11-21' })).valid;
    assert.deepEqual([await isValidAs('timetable'), await isValidAs('sweden')], [false, true]);
  });

  it('configured severities decide validity and appear in the findings', async () => {
    const severities = { NETEX_ID_1: 'INFO' } as const;
    const twice = [line('a.xml', journey('1')), line('b.xml', journey('1'))];
    const { valid, findings, findingsPerSeverity } = await validate(twice, { severities });
    assert.deepEqual([valid, findings[0]?.severity, findingsPerSeverity.INFO], [true, 'INFO', 1]);
  });

  it('the outcome is the same for any order of the files and any number of ids in memory', async () => {
    const files = Array.from({ length: 12 }, (_, number) =>
      line(
        `${number % 4 === 0 ? '_' : ''}${number}.xml`,
        ...Array.from({ length: 90 }, (__, index) => journey(String((number * 37 + index) % 300))),
      ),
    );
    const expected = await validate(files);
    assert.ok((expected.findingsPerRule.NETEX_ID_1 ?? 0) > 100);
    assert.deepEqual(await validate(files.toReversed()), expected);
    for (const idsPerPass of [1, 50, 400, 1079]) assert.deepEqual(await validate(files, { idsPerPass }), expected);
    const perFile = Map.groupBy(expected.findings, ({ fileName }) => fileName);
    for (const [name, listed] of perFile) assert.ok(listed.length <= 50, `${name} lists ${listed.length}`);
  });

  it('NO_ACTIVE_JOURNEYS: every calendar has ended', async () => {
    const until = (day: string) =>
      line(
        'a.xml',
        `<OperatingPeriod id="ABC:OperatingPeriod:1" version="1"><ToDate>${day}T00:00:00</ToDate></OperatingPeriod>`,
      );
    assert.deepEqual((await validate([until('2026-11-19')])).findingsPerRule, {});
    const ended = await validate([until('2026-11-18')]);
    assert.deepEqual(ended.findingsPerRule, { NO_ACTIVE_JOURNEYS: 1 });
    assert.deepEqual([ended.valid, ended.nothingLeftToRun], [true, true]);
    const later = line(
      'b.xml',
      '<DayTypeAssignment id="ABC:DayTypeAssignment:1" version="1"><Date>2027-01-01</Date></DayTypeAssignment>',
    );
    assert.deepEqual((await validate([until('2026-01-01'), later])).findingsPerRule, {});
  });

  it('ERROR_VALIDATION_NO_DATA: a dataset has files', async () => {
    assert.deepEqual((await validate([line('a.xml')])).findingsPerRule, {});
    const { findingsPerRule, valid } = await validate([]);
    assert.deepEqual([findingsPerRule, valid], [{ ERROR_VALIDATION_NO_DATA: 1 }, false]);
  });

  it('other work runs between files, also when all results are in memory', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    try {
      await validate(Array.from({ length: 200 }, (_, number) => line(`${number}.xml`, journey(String(number)))));
    } finally {
      clearInterval(timer);
    }
    assert.ok(turns > 1, `${turns} turns`);
  });

  it('the counts are the sums over the files', async () => {
    const outcome = await validate([
      line('a.xml', '<Line id="ABC:Line:1" version="v1"/>', journey('1')),
      line('_c.xml', '<Line id="ABC:Line:2" version="v1"/>', '<RouteRef ref="ABC:Route:1"/>'),
    ]);
    assert.deepEqual(outcome.findingsPerRule, { NETEX_ID_5: 1, VERSION_NON_NUMERIC: 2 });
    assert.deepEqual(outcome.findingsPerSeverity, { CRITICAL: 0, ERROR: 1, WARNING: 2, INFO: 0 });
    assert.deepEqual(
      outcome.files.map(({ name, kind, lines, serviceJourneys }) => [name, kind, lines, serviceJourneys]),
      [
        ['_c.xml', 'common', 1, 0],
        ['a.xml', 'line', 1, 1],
      ],
    );
  });
});

describe('a file', () => {
  it('has 50 listed findings of a rule, and a count of all', () => {
    const many = Array.from({ length: 120 }, (_, number) => `<Line id="ABC:Line:${number}" version="x"/>`);
    const result = validateFile(line('a.xml', ...many), ABC);
    assert.deepEqual([result.findings.length, result.counts], [50, { VERSION_NON_NUMERIC: 120 }]);
    assert.equal(result.findings[49]?.objectId, 'ABC:Line:49');
  });

  it('has one finding when it is not well formed, and stays out of the rules over the dataset', async () => {
    const broken = { ...line('b.xml', journey('1')) };
    const text = new TextDecoder().decode(broken.bytes).replace('</ResourceFrame>', '</ResourceFrame');
    const result = validateFile(file('b.xml', text), ABC);
    assert.deepEqual(result.counts, { XML_SCHEMA_ERROR: 1 });
    assert.match(result.findings[0]?.message ?? '', /^The file is not well-formed XML/);
    const { findingsPerRule } = await validate([line('a.xml', journey('1')), file('b.xml', text)]);
    assert.deepEqual(findingsPerRule, { XML_SCHEMA_ERROR: 1 });
  });

  it('has short findings for hostile ids, and correct ones across files', async () => {
    const id = `&#10;&#9;${'x'.repeat(100_000)}`;
    const result = validateFile(line('a.xml', `<Line id="${id}" version="1"/>`), ABC);
    assert.deepEqual(result.counts, { NETEX_ID_2: 1 });
    assert.ok(JSON.stringify(result.findings).length < 3_000);
    const both = await validate([
      line('a.xml', `<Line id="${id}"/>`, journey('1')),
      line('b.xml', `<Line id="${id}"/>`, journey('1')),
    ]);
    assert.deepEqual(
      both.findings.map(({ objectId, fileName }) => [objectId?.length, fileName]),
      [
        [300, 'b.xml'],
        ['ABC:ServiceJourney:1'.length, 'b.xml'],
      ],
    );
  });

  it('is read in the encoding that it declares', () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${anyFrame('<Line id="Bø" version="1"/>')}`;
    const result = validateFile({ name: 'a.xml', kind: 'line', bytes: Buffer.from(text, 'latin1') }, ABC);
    assert.equal(result.findings[0]?.message, 'Line has the id "Bø"; expected the form ABC:Line:local-part.');
  });
});
