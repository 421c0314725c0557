import assert from 'node:assert/strict';
import { ruleCatalogue } from '../../../netex/rules/catalogue.ts';
import { PROFILE_SEVERITIES, profilesRunning } from '../../../netex/rules/profile-rules.ts';
import {
  codesOf,
  composite,
  delivery,
  serviceFrame,
  VALIDITY,
  validateCommon,
  validateLine,
} from '../support/sample-files.ts';

const codesIn = (profile: 'timetable' | 'flex' | 'sweden') =>
  ruleCatalogue.filter(({ profiles }) => profiles.includes(profile)).map(({ code }) => code);

describe('profiles', () => {
  it('run all rules except those that they replace or contradict', () => {
    const timetable = new Set(codesIn('timetable'));
    const only = (profile: 'flex' | 'sweden') => codesIn(profile).filter((code) => !timetable.has(code));
    assert.deepEqual(only('flex'), [
      'LINE_10',
      'NETEX_FILE_NAME_1',
      'STOP_PLACE_IN_FLEX_COMMON_FILE',
      'INVALID_FLEXIBLE_AREA',
    ]);
    assert.deepEqual(
      only('sweden').filter((code) => code !== 'STOP_PLACE_REF_SE_1'),
      ['COMPOSITE_FRAME_SE_1', 'VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1'],
    );
    for (const code of [
      'LINE_1',
      'SERVICE_JOURNEY_5',
      'BOOKING_4',
      'NETEX_ID_5',
      'TIMETABLED_PASSING_TIME_INCOMPLETE_TIME',
    ])
      assert.deepEqual(profilesRunning(code), ['timetable', 'flex', 'sweden']);
  });

  it('flex: a configured severity overrides that of the profile', () => {
    const network =
      '<Network id="ABC:Network:1" version="1"><Name>A</Name><AuthorityRef ref="ABC:Authority:1"/></Network>';
    const severityOf = (severities = {}) =>
      validateLine(serviceFrame(network), { profile: 'flex', authorities: [], severities }).findings.find(
        ({ code }) => code === 'AUTHORITY_REF',
      )?.severity;
    assert.equal(PROFILE_SEVERITIES.flex.AUTHORITY_REF, 'INFO');
    assert.equal(severityOf(), 'INFO');
    assert.equal(severityOf({ AUTHORITY_REF: 'ERROR' }), 'ERROR');
  });

  it('sweden: validity may be that of the SiteFrame, or a ValidBetween', () => {
    const family = /^(VALIDITY|COMPOSITE_FRAME|SITE_FRAME)/;
    const codes = (dataObjects: string) => codesOf(validateCommon(dataObjects, { profile: 'sweden' }), family);
    const siteFrame = (content: string) => `<SiteFrame id="ABC:SiteFrame:1" version="1">${content}</SiteFrame>`;
    const nested = `<stopPlaces><StopPlace id="ABC:StopPlace:1" version="1">${VALIDITY}</StopPlace></stopPlaces>`;
    assert.deepEqual(codes(delivery(siteFrame(VALIDITY))), []);
    assert.deepEqual(codes(delivery(siteFrame(nested))), ['VALIDITY_CONDITIONS_IN_COMMON_FILE_SE_1']);
    const between = '<ValidBetween><FromDate>2026-01-01T00:00:00</FromDate></ValidBetween>';
    assert.deepEqual(codes(delivery(siteFrame(between))), []);
    assert.deepEqual(codes(composite(siteFrame(''), '', between)), []);
    assert.deepEqual(codes(composite(siteFrame(VALIDITY), '', '')), ['COMPOSITE_FRAME_SE_1']);
  });
});
