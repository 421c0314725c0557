/** The rules on patterns, passing times and dated journeys over the shared real data; skipped where that is absent. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Finding } from '../../../netex/finding.ts';
import { passingTimeOrderChecks } from '../../../netex/rules/passing-time-order.ts';
import { patternLinkChecks } from '../../../netex/rules/pattern-links.ts';
import { patternQuayChecks } from '../../../netex/rules/pattern-quays.ts';
import { repeatedPatternChecks } from '../../../netex/rules/repeated-patterns.ts';
import { serviceAlterationChecks } from '../../../netex/rules/service-alterations.ts';
import { sharedDatasets } from '../support/expected-findings.ts';
import { validateOnce } from './validated-datasets.ts';

const shared = resolve(process.env.SHARED_DIR ?? '../shared');
const checks = [
  ...repeatedPatternChecks,
  ...patternQuayChecks,
  ...patternLinkChecks,
  ...passingTimeOrderChecks,
  ...serviceAlterationChecks,
];
const codes = new Set(checks.flatMap(({ rules }) => rules.map(({ code }) => code)));

describe('the rules on the meaning of timetables', () => {
  const counts = new Map<string, Record<string, number>>();
  const findings = new Map<string, Finding[]>();

  before(async function () {
    if (!existsSync(resolve(shared, 'netex/data'))) this.skip();
    for (const dataset of sharedDatasets(shared)) {
      const { source } = dataset;
      const results = [...((await validateOnce(dataset))?.results.values() ?? [])];
      const totals: Record<string, number> = {};
      for (const [code, count] of results.flatMap((result) => Object.entries(result.counts))) {
        if (codes.has(code)) totals[code] = (totals[code] ?? 0) + count;
      }
      counts.set(source.file ?? '', totals);
      findings.set(
        source.file ?? '',
        results.flatMap((result) => result.findings).filter(({ code }) => codes.has(code)),
      );
    }
  });

  it('find no error in valid archives', () => {
    for (const { source } of sharedDatasets(shared)) {
      if (!source.exercises?.startsWith('valid') || !source.file?.endsWith('.zip')) continue;
      const errors = findings.get(source.file)?.filter(({ severity }) => severity === 'ERROR');
      assert.deepEqual(errors, [], source.file);
    }
  });

  it('find the three faults of a file, each once, at its place', () => {
    const file = 'entur__antu/FLB_FLB-Line-42_42_Flamsbana_non_increasing_passing_time.xml';
    const faults = findings.get(file)?.filter(({ code }) => code.startsWith('TIMETABLED_PASSING_TIME_'));
    assert.deepEqual(
      faults?.map(({ code, objectId, lineNumber }) => [code, objectId, lineNumber]),
      [
        ['TIMETABLED_PASSING_TIME_INCONSISTENT_TIME', 'FLB:ServiceJourney:1-10-1857-202106151508', 795],
        ['TIMETABLED_PASSING_TIME_INCOMPLETE_TIME', 'FLB:ServiceJourney:1-6-1855-202106151508', 880],
        ['TIMETABLED_PASSING_TIME_NON_INCREASING_TIME', 'FLB:ServiceJourney:1-4-1853-202106151508', 970],
      ],
    );
    assert.equal(
      counts.get('derived-flb/flb-journey-non-increasing-time.zip')?.TIMETABLED_PASSING_TIME_NON_INCREASING_TIME,
      1,
    );
  });

  it('report an incomplete window and a missing time', () => {
    for (const name of [
      'rb_bra-flexible-lines-missing-departure-time',
      'rb_flb-aggregated-netex-missing-departure-and-arrival-times',
    ]) {
      const count = counts.get(`entur__netex-validator-java/${name}.zip`)?.TIMETABLED_PASSING_TIME_INCOMPLETE_TIME;
      assert.equal(count, 1, name);
    }
  });

  it('find no fault in 988 dated journeys, 83 of them replaced by others', () => {
    const vyg = counts.get('entur__antu/VYG_41.xml') ?? {};
    assert.deepEqual([vyg.INVALID_SERVICE_ALTERATION, vyg.MISSING_REPLACEMENT], [undefined, undefined]);
  });

  it('find one missing time among the 181,689 passing times of an operator, and journeys timed to the minute', () => {
    assert.deepEqual(counts.get('entur__marduk/AOR.zip'), {
      TIMETABLED_PASSING_TIME_INCOMPLETE_TIME: 1,
      SAME_DEPARTURE_ARRIVAL_TIME: 38_287,
      SAME_QUAY_REF_IN_CONSECUTIVE_STOP_POINTS_IN_JOURNEY_PATTERN: 2,
      SAME_STOP_POINT_IN_JOURNEY_PATTERNS: 13,
      IDENTICAL_STOP_POINTS_IN_JOURNEY_PATTERNS: 9,
    });
  });
});
