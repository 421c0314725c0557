/** Severities from configuration: precedence, refused values, and effects on the reading of a file. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRuleSeverities } from '../../../activities/timetable/rule-severities.ts';
import {
  chooseSeverities,
  joinSettings,
  parseSeveritySettings,
  SHIPPED_SEVERITIES,
} from '../../../netex/rules/severity-settings.ts';
import { SchemaSet } from '../../../netex/schema/index.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import { xsdDirectory } from '../../support/folders.ts';
import { SCHEMA_IMAGES } from '../../support/schema-images.ts';
import { ABC, file, serviceFrame, validateLine } from '../support/sample-files.ts';

const settings = (value: unknown) => parseSeveritySettings(JSON.stringify(value));

describe('severities from configuration', () => {
  it('the codespace wins over the profile, the profile over the rule', () => {
    const own = settings({
      profiles: { flex: { LINE_2: 'WARNING', LINE_3: 'INFO' } },
      codespaces: { abc: { LINE_3: 'ERROR' } },
    });
    const joined = joinSettings(SHIPPED_SEVERITIES, own);
    const chosen = chooseSeverities(joined, 'flex', 'abc');
    assert.equal(chosen.LINE_2, 'WARNING');
    assert.equal(chosen.LINE_3, 'ERROR');
    assert.equal(chosen.AUTHORITY_REF, 'INFO', 'what is shipped stays');
    assert.equal(chooseSeverities(joined, 'flex', 'xyz').LINE_3, 'INFO');
    assert.deepEqual(chooseSeverities(joined, 'timetable', 'xyz'), {});
  });

  for (const [what, value, expected] of [
    ['an unknown rule', { profiles: { flex: { NO_SUCH: 'INFO' } } }, /profiles\.flex\.NO_SUCH: there is no rule/],
    ['an unknown severity', { codespaces: { abc: { LINE_2: 'OFF' } } }, /codespaces\.abc\.LINE_2: "OFF" is none of/],
    ['an unknown profile', { profiles: { ferry: {} } }, /profiles\.ferry/],
    ['a bad codespace', { codespaces: { ABC: {} } }, /codespaces\.ABC/],
    ['another member', { profile: {} }, /"profile" is neither/],
    ['a list', { profiles: [] }, /profiles must be an object/],
    [
      'a refused archive',
      { profiles: { flex: { ARCHIVE_RATIO: 'INFO' } } },
      /ARCHIVE_RATIO: such an archive is refused/,
    ],
    ['a file of no zip', { codespaces: { abc: { ERROR_FILE_NOT_A_ZIP_FILE: 'ERROR' } } }, /NOT_A_ZIP_FILE: such an/],
    ['a milder XML_SCHEMA_ERROR', { codespaces: { abc: { XML_SCHEMA_ERROR: 'WARNING' } } }, /cannot be milder/],
  ] as const) {
    it(`${what} is refused by name`, () => assert.throws(() => settings(value), expected));
  }

  it('a bad file stops the process with the name of the variable', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'severities-')), 'rules.json');
    writeFileSync(path, '{"profiles": {"flex": {"LINE_2": "MILD"}}}');
    assert.throws(() => readRuleSeverities({ RULE_SEVERITIES: path }), /RULE_SEVERITIES: profiles\.flex\.LINE_2/);
    assert.throws(() => readRuleSeverities({ RULE_SEVERITIES: `${path}.absent` }), /RULE_SEVERITIES: .*ENOENT/);
    writeFileSync(path, '{"codespaces": {"abc": {"LINE_2": "INFO"}}}');
    assert.equal(readRuleSeverities({ RULE_SEVERITIES: path }).codespaces.abc?.LINE_2, 'INFO');
    assert.equal(readRuleSeverities({}), SHIPPED_SEVERITIES);
  });

  it('a rule made CRITICAL ends the reading of the file, which gets no other finding', () => {
    const xml = serviceFrame('<lines><Line id="ABC:Line:1" version="1"/></lines>');
    const usual = validateLine(xml);
    assert.ok(Object.keys(usual.counts).length > 1);
    assert.ok(usual.identifiers.length > 0);
    const result = validateLine(xml, { severities: { LINE_2: 'CRITICAL' } });
    assert.deepEqual(result.counts, { LINE_2: 1 });
    assert.deepEqual(
      result.findings.map(({ code, severity }) => [code, severity]),
      [['LINE_2', 'CRITICAL']],
    );
    assert.equal(result.identifiers.length, 0);
    assert.equal(result.timetable.length, 0);
  });

  it('the rules continue after a schema error made ERROR', () => {
    const xml = serviceFrame('<lines><Line id="ABC:Line:1" version="1"><Nonsense/></Line></lines>');
    const schemas = SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
    const strict = validateFile(file('ABC_line.xml', xml), ABC, schemas);
    assert.deepEqual(Object.keys(strict.counts), ['XML_SCHEMA_ERROR']);
    const severities = { XML_SCHEMA_ERROR: 'ERROR' } as const;
    const mild = validateFile(file('ABC_line.xml', xml), { ...ABC, severities }, schemas);
    assert.equal(mild.counts.XML_SCHEMA_ERROR, strict.counts.XML_SCHEMA_ERROR);
    assert.equal(mild.counts.LINE_2, 1);
    const broken = validateFile(file('ABC_line.xml', `${xml}<`), { ...ABC, severities }, schemas);
    assert.deepEqual(Object.keys(broken.counts), ['XML_SCHEMA_ERROR']);
  });
});
