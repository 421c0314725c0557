import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRule, ruleCatalogue } from '../../../netex/rules/catalogue.ts';
import { sharedDirectory } from '../../support/folders.ts';
import { readTsv } from '../support/expected-findings.ts';

/** Codes that are not in the common list of rules. */
const OUR_OWN = new Set(['STOP_REGISTER_1', 'NO_ACTIVE_JOURNEYS', 'DOCTYPE_FORBIDDEN']);

describe('the catalogue of rules', () => {
  it('has each code once, with a complete description', () => {
    const codes = ruleCatalogue.map(({ code }) => code);
    assert.equal(new Set(codes).size, codes.length);
    for (const rule of ruleCatalogue) {
      assert.match(rule.code, /^[A-Z0-9_]+$/);
      for (const key of ['name', 'meaning', 'example', 'mend'] as const) assert.ok(rule[key].length > 3, rule.code);
      assert.equal(findRule(rule.code), rule);
    }
  });

  it('agrees in code, severity and stage with the list of rules', function () {
    const path = join(sharedDirectory() ?? '', 'netex', 'rules.tsv');
    if (!existsSync(path)) return this.skip();
    const listed = new Map(readTsv(path).map((row) => [row.code, row]));
    for (const { code, severity, stage, scope } of ruleCatalogue) {
      if (OUR_OWN.has(code) || code.startsWith('ARCHIVE_')) continue;
      const row = listed.get(code);
      assert.deepEqual({ code, severity, stage }, { code: row?.code, severity: row?.severity, stage: row?.stage });
      if (stage === '2-structure') assert.equal(scope, row?.file_scope, code);
    }
  });
});
