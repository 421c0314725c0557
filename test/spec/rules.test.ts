/**
 * Each rule shown by data: test/spec/rules/*.yaml change a sample dataset so that it breaks one rule, or nearly does.
 * The whole dataset is validated each time, by schema, rules of a file and rules across files.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { ruleCatalogue } from '../../netex/rules/catalogue.ts';
import { applyChanges, type Change, changesOf, type RuleCase, ruleCases, type Texts } from './support/rule-case.ts';
import { NAMES_IN_INTERFACE, shownElsewhere } from './support/shown-elsewhere.ts';
import { validateWhole } from './support/whole-dataset.ts';

const SCHEMA = 'XML_SCHEMA_ERROR';
const folder = new URL('./rules/', import.meta.url);
const families = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const cases = new Map(families.map((name) => [name, readCases(name)]));
const samples = { all: readSample('samples/'), flex: readSample('samples/flex/') };

function readCases(name: string): RuleCase[] {
  const read = ruleCases.safeParse(parse(readFileSync(new URL(name, folder), 'utf8')));
  if (!read.success) throw new Error(`test/spec/rules/${name}: ${read.error.message}`);
  return read.data;
}

function readSample(path: string): Texts {
  const names = readdirSync(new URL(path, folder)).filter((name) => name.endsWith('.xml'));
  return new Map(names.map((name) => [name, readFileSync(new URL(path + name, folder), 'utf8')]));
}

const sampleOf = ({ profile }: RuleCase): Texts =>
  profile === 'flex' ? new Map([...samples.flex, ['stops.xml', samples.all.get('stops.xml') ?? '']]) : samples.all;

function validateCase(one: RuleCase, changes: readonly Change[]) {
  const texts = applyChanges(sampleOf(one), changes);
  const changed = changes.flatMap(({ file, rename, copy }) => [file, rename ?? file, copy ?? file]);
  return validateWhole({
    texts,
    checkedBySchema: new Set(one.schemaBreaks ? [] : changed),
    context: {
      ...(one.profile ? { profile: one.profile } : {}),
      ...(one.dataset ? { dataset: one.dataset } : {}),
      ...one.context,
    },
    ...(one.today ? { today: one.today } : {}),
  });
}

async function showInvalid(one: RuleCase, changes: readonly Change[]): Promise<void> {
  const { findings, counts } = await validateCase(one, changes);
  const listing = findings.map(({ code, message }) => `${code}: ${message}`).join('\n') || 'none';
  if (one.code !== SCHEMA) assert.ok(!counts[SCHEMA], `the schema already fails: ${listing}`);
  const count = counts[one.code] ?? 0;
  assert.ok(one.count === undefined ? count > 0 : count === one.count, `${one.code} ×${count} among: ${listing}`);
  const own = findings.filter(({ code }) => code === one.code);
  const { says, at, in: fileName } = one;
  if (says !== undefined)
    assert.ok(
      own.some(({ message }) => new RegExp(says).test(message)),
      listing,
    );
  if (at !== undefined)
    assert.ok(
      own.some(({ objectId }) => objectId === at),
      JSON.stringify(own, null, 1),
    );
  if (fileName !== undefined)
    assert.ok(
      own.some((finding) => finding.fileName === fileName),
      JSON.stringify(own, null, 1),
    );
}

async function showValid(one: RuleCase, changes: readonly Change[]): Promise<void> {
  const { findings, counts } = await validateCase(one, changes);
  const listing = findings.map(({ code, message }) => `${code}: ${message}`).join('\n');
  if (one.code !== SCHEMA) assert.ok(!counts[SCHEMA], `the schema already fails: ${listing}`);
  assert.equal(counts[one.code] ?? 0, 0, listing);
}

describe('a rule', () => {
  it('finds nothing in the samples', async () => {
    for (const [sample, context, known] of [
      [samples.all, {}, []],
      [samples.all, { dataset: 'stop-register' }, []],
      [samples.flex, { profile: 'flex' }, ['COMPOSITE_FRAME_SITE_FRAME']],
    ] as const) {
      const texts = new Map([...sample, ['stops.xml', samples.all.get('stops.xml') ?? '']]);
      const { findings } = await validateWhole({ texts, checkedBySchema: new Set(texts.keys()), context });
      assert.deepEqual(
        findings.filter(({ code }) => !known.some((one) => one === code)),
        [],
      );
    }
  });

  for (const [family, list] of cases) {
    describe(family, () => {
      for (const one of list) {
        const about = one.about ? `: ${one.about}` : '';
        const { invalid, valid } = one;
        if (invalid) it(`${one.code} finds the defect${about}`, () => showInvalid(one, changesOf(invalid)));
        if (valid || one.profile || one.context || one.dataset) {
          it(`${one.code} finds nothing${about}`, () => showValid(one, changesOf(valid)));
        }
      }
    });
  }
});

describe('a defect', () => {
  it('in one file, which is not XML, leaves the findings of other files and of the dataset', async () => {
    const texts = applyChanges(samples.all, [
      { file: 'ABC_line.xml', replace: '</PublicationDelivery>' },
      { file: 'ABC_line2.xml', replace: '<Name>Holmenferja</Name>', with: '<Name/>' },
      { file: '_ABC_shared_data.xml', copy: '_ABC_more_data.xml' },
    ]);
    const { counts } = await validateWhole({ texts, checkedBySchema: new Set(), context: {} });
    for (const code of [SCHEMA, 'LINE_2', 'NETEX_ID_10']) assert.ok(counts[code], code);
  });
});

describe('the list of rules', () => {
  const shown = new Set([...cases.values()].flat().flatMap(({ code, invalid }) => (invalid ? [code] : [])));
  const known = new Set(ruleCatalogue.map(({ code }) => code));

  it('has a case or a test for every rule', () => {
    const unshown = [...known].filter((code) => !shown.has(code) && !(code in shownElsewhere));
    assert.deepEqual(unshown, []);
  });

  it('has a rule for every case and every test named', () => {
    assert.deepEqual(
      [...shown, ...Object.keys(shownElsewhere)].filter((code) => !known.has(code)),
      [],
    );
    for (const [code, test] of Object.entries(shownElsewhere)) {
      const path = new URL(`../../${test}`, import.meta.url);
      assert.ok(
        readFileSync(path, 'utf8').includes(NAMES_IN_INTERFACE[code] ?? code),
        `${test} does not mention ${code}`,
      );
    }
  });

  it('equals the list of the design', function () {
    const path = resolve(process.env.SHARED_DIR ?? '../shared', 'netex/rules.tsv');
    if (!existsSync(path)) this.skip();
    const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
    const codes = rows.map((row) => row.split('\t')[0] ?? '').map((code) => REPLACED[code] ?? code);
    assert.equal(codes.length, 219);
    assert.deepEqual(
      codes.filter((code) => !known.has(code)),
      [],
    );
  });
});

/** Codes that the design lists under another name. */
const REPLACED: Readonly<Record<string, string>> = { ERROR_NETEX_EXPORT_EMPTY_EXPORT: 'NO_ACTIVE_JOURNEYS' };
