/** Agreement with the reference validator over all shared real data, count by count, for every code that is built. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validateDataset } from '../../../netex/dataset/validate-dataset.ts';
import { ruleCatalogue } from '../../../netex/rules/catalogue.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import { sharedDirectory } from '../../support/folders.ts';
import { comparedCodes } from '../support/compared-codes.ts';
import { contextOf, readDataset, readTsv, type SharedDataset, sharedDatasets } from '../support/expected-findings.ts';
import { validateOnce } from './validated-datasets.ts';

const key = (...parts: Array<string | undefined>): string => parts.join(' ');

describe('real data compared with the reference validator', function () {
  this.timeout(240_000);
  const shared = sharedDirectory();
  const expected = new Map<string, number>();
  const differences = new Map<string, { expected: string | undefined; ours: string | undefined }>();

  before(function () {
    if (!shared || !existsSync(join(shared, 'netex', 'expected.tsv'))) return this.skip();
    for (const row of readTsv(join(shared, 'netex', 'expected.tsv'))) {
      expected.set(key(row.file, row.entry, row.code), Number(row.count));
    }
    for (const row of readTsv(join(import.meta.dirname, '../expected-differences.tsv'))) {
      differences.set(key(row.file, row.entry, row.code), { expected: row.expected, ours: row.ours });
    }
  });

  const outcomes = new Map<string, ReturnType<typeof validate>>();

  async function validate(dataset: SharedDataset) {
    const validated = dataset.source.run === 'findings' ? await validateOnce(dataset) : undefined;
    if (!validated) return undefined;
    const { files, results } = validated;
    const outcome = await validateDataset(
      { files, read: async (name: string) => results.get(name) ?? assert.fail(name) },
      { dataset: 'timetable', today: '2026-11-21' },
    );
    return { names: files.map(({ name }) => name), results, outcome };
  }

  /** Two tests ask for the large datasets. */
  function outcomeOf(dataset: SharedDataset): ReturnType<typeof validate> {
    const outcome = outcomes.get(dataset.path) ?? validate(dataset);
    outcomes.set(dataset.path, outcome);
    return outcome;
  }

  /** Where the counts differ, as `file entry code expected → ours`. */
  function compare(file: string, validated: Awaited<ReturnType<typeof validate>>): string[] {
    if (!validated) return [];
    const { names, results, outcome } = validated;
    return names.flatMap((name) => {
      const counts = new Map(Object.entries(results.get(name)?.counts ?? {}));
      for (const finding of outcome.findings.filter(({ fileName }) => fileName === name)) counts.set(finding.code, -1);
      return [...comparedCodes].flatMap((code) => {
        const theirs = expected.get(key(file, name, code)) ?? 0;
        const ours = counts.get(code) ?? 0;
        const agrees = code === 'XML_SCHEMA_ERROR' || ours === -1 ? theirs > 0 === (ours !== 0) : theirs === ours;
        const known = differences.get(key(file, name, code));
        if (known) assert.deepEqual({ expected: String(theirs), ours: String(ours) }, known, `${file} ${name} ${code}`);
        return agrees || known ? [] : [`${file} ${name} ${code} ${theirs} → ${ours}`];
      });
    });
  }

  it('agrees in schema stage and rules, except for the listed differences', async () => {
    const differing: string[] = [];
    for (const dataset of sharedDatasets(shared ?? '')) {
      differing.push(...compare(dataset.source.file ?? '', await outcomeOf(dataset)));
    }
    assert.deepEqual(differing, []);
  });

  it('reports the rule that a dataset was made to break', async () => {
    const built = new Set(ruleCatalogue.filter(({ stage }) => /^[23]-/.test(stage)).map(({ code }) => code));
    for (const { source, path } of sharedDatasets(shared ?? '')) {
      const code = /^must report: (\w+)/.exec(source.exercises ?? '')?.[1] ?? '';
      if (!built.has(code) || code === 'NETEX_ID_10' || source.exercises?.includes('profile only')) continue;
      const files = (await readDataset(path)) ?? [];
      const results = files.map((one) => validateFile(one, contextOf(source, files)));
      assert.ok(
        results.some(({ counts }) => (counts[code] ?? 0) > 0),
        `${source.file} ${code}`,
      );
    }
  });

  it('agrees in the counts of NETEX_ID_1 and NETEX_ID_10', async () => {
    const cases = [...expected].filter(([row]) => / NETEX_ID_10?$/.test(row));
    assert.equal(cases.length, 3);
    for (const [row, count] of cases) {
      const file = row.split(' ')[0] ?? '';
      const dataset = sharedDatasets(shared ?? '').find(({ source }) => source.file === file) ?? assert.fail(file);
      const { outcome } = (await outcomeOf(dataset)) ?? assert.fail(file);
      assert.equal(outcome.findingsPerRule[row.split(' ').at(-1) ?? ''], count, row);
    }
  });
});
