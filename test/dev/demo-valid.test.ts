/** The demo data must be without a finding, as a careful operator would send it. */
import assert from 'node:assert/strict';
import { type DemoData, generateDemo } from '../../dev/demo/generate.ts';
import { AUTHORITIES } from '../../dev/demo/organisation-xml.ts';
import { demId } from '../../dev/demo/xml-writer.ts';
import { addFileIds } from '../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../netex/dataset/id-index.ts';
import { validateDataset } from '../../netex/dataset/validate-dataset.ts';
import type { FileResult } from '../../netex/file-result.ts';
import { CommonFactsBuilder } from '../../netex/model/common-facts.ts';
import { SchemaSet } from '../../netex/schema/index.ts';
import { StopRegisterReader } from '../../netex/stop-register/stop-register-reader.ts';
import { validateFile } from '../../netex/validate-file.ts';
import type { ValidationContext } from '../../netex/validation-context.ts';
import { decodeXml } from '../../netex/xml/decode.ts';
import { Scanner } from '../../netex/xml/scan.ts';
import { classifyArchive, DEFAULT_ARCHIVE_LIMITS, openArchive, openFileRangeReader } from '../../netex/zip/index.ts';
import { DEMO_DATE, readArchive, temporaryFolder, useDemoData } from '../support/demo-dataset.ts';
import { xsdDirectory } from '../support/folders.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';

const DEMO: ValidationContext = {
  xmlns: 'DEM',
  allowedXmlns: ['NSR', 'PEN'],
  profile: 'timetable',
  authorities: AUTHORITIES.map(({ key }) => demId('Authority', key)),
  dataset: 'timetable',
  stopRegisterXmlns: 'NSR',
};
const REGISTER: ValidationContext = { ...DEMO, xmlns: 'NSR', allowedXmlns: [], dataset: 'stop-register' };

/** Lines that differ from line 1 in names and times only, so the schema need not check all of them at each run. */
const LIKE_THE_FIRST = /-Line-([2-9]|1[0-2])_/;

const kindOf = (name: string) => (name.startsWith('_') ? ('common' as const) : ('line' as const));

describe('The demo data is valid', () => {
  it('as archives: a stop register and a timetable', async () => {
    const { stopRegister, timetable } = await useDemoData();
    for (const [path, kind] of [[stopRegister, 'stop-register'] as const, [timetable, 'timetable'] as const]) {
      const reader = await openFileRangeReader(path);
      const archive = await openArchive(reader, DEFAULT_ARCHIVE_LIMITS);
      assert.equal((await classifyArchive(archive, {})).kind, kind);
      await reader.close();
    }
  });

  it('by the schema it declares, constraints included', async () => {
    const schemas = SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
    const { stopRegister, timetable } = await useDemoData();
    for (const path of [stopRegister, timetable]) {
      for await (const { name, bytes } of readArchive(path)) {
        if (LIKE_THE_FIRST.test(name)) continue;
        const outcome = schemas.check(bytes);
        assert.deepEqual(
          { version: outcome.version, defects: outcome.defects },
          { version: '1.15', defects: [] },
          name,
        );
        const constraints = schemas.createConstraintListener('1.15', ({ message }) =>
          assert.fail(`${name}: ${message}`),
        );
        const scanner = new Scanner(constraints);
        for (const text of decodeXml(bytes)) scanner.write(text);
        scanner.close();
        constraints.finish();
      }
    }
  });

  it('by every rule of the stop register', async () => {
    for await (const { name, bytes } of readArchive((await useDemoData()).stopRegister)) {
      assert.deepEqual(validateFile({ name, kind: kindOf(name), bytes }, REGISTER).findings, []);
    }
  });

  it('by every rule of a file and across files, even without an INFO', async () => {
    const outcome = await validateAll(await useDemoData(), DEMO);
    assert.equal(
      outcome.files.reduce((sum, file) => sum + file.lines, 0),
      56,
    );
  });

  it('under another codespace, a few lines alone', async () => {
    const options = { date: DEMO_DATE, lines: [301, 302], codespace: 'abc', directory: temporaryFolder() };
    const outcome = await validateAll(await generateDemo(options), {
      ...DEMO,
      xmlns: 'ABC',
      authorities: AUTHORITIES.map(({ key }) => demId('Authority', key).replace('DEM', 'ABC')),
    });
    assert.equal(outcome.files.length, 3);
    for (const codespace of ['ABC', 'no']) {
      await assert.rejects(generateDemo({ ...options, codespace }), /three letters/);
    }
  });

  /** Fails on any finding. */
  async function validateAll({ stopRegister, timetable }: DemoData, context: ValidationContext) {
    const register = new StopRegisterReader();
    for await (const { bytes } of readArchive(stopRegister)) register.addFile(bytes);
    const common = new IdIndexBuilder();
    const facts = new CommonFactsBuilder();
    const results = new Map<string, FileResult>();
    for await (const file of readArchive(timetable)) {
      const kind = kindOf(file.name);
      if (kind === 'common') addFileIds(file, common, facts.reader());
      const ids = { commonIds: common.build().bytes, stopRegister: register.build().bytes };
      const known = { ...ids, commonFacts: facts.build() };
      const result = validateFile({ ...file, kind }, { ...context, ...known });
      assert.deepEqual(result.findings, [], file.name);
      results.set(file.name, result);
    }
    const source = {
      files: [...results.keys()].map((name) => ({ name, kind: kindOf(name) })),
      read: async (name: string) => results.get(name) ?? assert.fail(name),
    };
    const outcome = await validateDataset(source, { today: DEMO_DATE, dataset: 'timetable' });
    assert.deepEqual(outcome.findings, []);
    assert.deepEqual(outcome.findingsPerRule, {});
    assert.ok(outcome.valid && !outcome.nothingLeftToRun);
    return outcome;
  }
});
