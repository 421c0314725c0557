import assert from 'node:assert/strict';
import {
  CODESPACES,
  codesOf,
  composite,
  delivery,
  VALIDITY,
  validateCommon,
  validateLine,
} from '../support/sample-files.ts';

const frame = (name: string, number = 1, content = '') =>
  `<${name} id="ABC:${name}:${number}" version="1">${content}</${name}>`;
const RESOURCES = frame('ResourceFrame');
/** Gives each validity condition its own id. */
const validity = (number: number) => VALIDITY.replace('AvailabilityCondition:1', `AvailabilityCondition:${number}`);

const FAMILY = /^(COMPOSITE|RESOURCE|TIMETABLE|SITE)_.*FRAME|VALIDITY/;
const inLine = (xml: string) => codesOf(validateLine(xml), FAMILY);
const inCommon = (xml: string) => codesOf(validateCommon(xml), FAMILY);

describe('rules: frames in a CompositeFrame', () => {
  it('COMPOSITE_FRAME_1: it has validity conditions', () => {
    assert.deepEqual(inLine(composite(RESOURCES)), []);
    assert.deepEqual(inLine(composite(RESOURCES, CODESPACES, '')), ['COMPOSITE_FRAME_1']);
  });

  it('COMPOSITE_FRAME_1: one without an id, also around it, is reported without an id', () => {
    const nameless = composite(RESOURCES, CODESPACES, '').replace(/<CompositeFrame [^>]*>/, '<CompositeFrame>');
    const { findings } = validateLine(nameless);
    const { message } = findings.find(({ code }) => code === 'COMPOSITE_FRAME_1') ?? assert.fail();
    assert.equal(message, 'CompositeFrame does not say when it holds; expected validityConditions.');
  });

  it('COMPOSITE_FRAME_2: nothing inside it repeats them', () => {
    assert.deepEqual(inLine(composite(frame('ServiceFrame'))), []);
    assert.deepEqual(inLine(composite(frame('ServiceFrame', 1, validity(2)))), ['COMPOSITE_FRAME_2']);
  });

  it('COMPOSITE_FRAME_SITE_FRAME: it has no stops', () => {
    assert.deepEqual(inLine(composite(frame('ServiceFrame'))), []);
    assert.deepEqual(inLine(composite(frame('SiteFrame'))), ['COMPOSITE_FRAME_SITE_FRAME']);
  });

  it('COMPOSITE_TIMETABLE_FRAME_IN_COMMON_FILE: journeys are in line files', () => {
    assert.deepEqual(inLine(composite(frame('TimetableFrame'))), []);
    assert.deepEqual(inCommon(composite(frame('TimetableFrame'))), ['COMPOSITE_TIMETABLE_FRAME_IN_COMMON_FILE']);
  });

  const period = (name: string, from: string, to: string) =>
    VALIDITY.replaceAll('AvailabilityCondition', name).replace(
      /<FromDate>.*<\/FromDate>/,
      (from && `<FromDate>${from}T00:00:00</FromDate>`) + (to && `<ToDate>${to}T00:00:00</ToDate>`),
    );
  const withPeriod = (name: string, from: string, to: string) =>
    inLine(composite('', CODESPACES, period(name, from, to)));

  it('COMPOSITE_FRAME_3: a ValidBetween has a beginning or an end', () => {
    assert.deepEqual(withPeriod('ValidBetween', '2026-01-01', ''), []);
    assert.deepEqual(withPeriod('ValidBetween', '', '2026-01-01'), []);
    assert.deepEqual(withPeriod('ValidBetween', '', ''), ['COMPOSITE_FRAME_3']);
  });

  it('COMPOSITE_FRAME_4: a ValidBetween ends after it begins', () => {
    assert.deepEqual(withPeriod('ValidBetween', '2026-01-01', '2026-01-01'), []);
    assert.deepEqual(withPeriod('ValidBetween', '2026-01-02', '2026-01-01'), ['COMPOSITE_FRAME_4']);
  });

  it('COMPOSITE_FRAME_5: an AvailabilityCondition ends after it begins', () => {
    assert.deepEqual(withPeriod('AvailabilityCondition', '2026-01-01', '2026-12-31'), []);
    assert.deepEqual(withPeriod('AvailabilityCondition', '2026-12-31', '2026-01-01'), ['COMPOSITE_FRAME_5']);
  });

  it('COMPOSITE_FRAME_5: times with a zone are compared as instants', () => {
    const ends = (at: string) =>
      VALIDITY.replace('T00:00:00</FromDate>', `T00:00:00+02:00</FromDate><ToDate>${at}</ToDate>`);
    assert.deepEqual(inLine(composite('', CODESPACES, ends('2025-12-31T23:00:00Z'))), []);
    assert.deepEqual(inLine(composite('', CODESPACES, ends('2025-12-31T21:00:00Z'))), ['COMPOSITE_FRAME_5']);
  });

  it('COMPOSITE_FRAME_6: an AvailabilityCondition has a beginning or an end', () => {
    assert.deepEqual(withPeriod('AvailabilityCondition', '', '2026-12-31'), []);
    assert.deepEqual(withPeriod('AvailabilityCondition', '', ''), ['COMPOSITE_FRAME_6']);
  });
});

describe('rules: frames alone', () => {
  const valid = (name: string, number = 1) => frame(name, number, validity(number));

  it('RESOURCE_FRAME_IN_LINE_FILE: a line file has one ResourceFrame', () => {
    assert.deepEqual(inLine(delivery(RESOURCES + valid('ServiceFrame'))), []);
    assert.deepEqual(inLine(delivery(valid('ServiceFrame'))), ['RESOURCE_FRAME_IN_LINE_FILE']);
    const two = RESOURCES + frame('ResourceFrame', 2) + valid('ServiceFrame');
    assert.deepEqual(inLine(delivery(two)), ['RESOURCE_FRAME_IN_LINE_FILE']);
  });

  it('VALIDITY_CONDITIONS_IN_LINE_FILE_1: one of the frames has validity conditions', () => {
    for (const name of ['ServiceFrame', 'ServiceCalendarFrame', 'TimetableFrame']) {
      assert.deepEqual(inLine(delivery(RESOURCES + valid(name))), [], name);
    }
    assert.deepEqual(inLine(delivery(RESOURCES + frame('ServiceFrame') + frame('TimetableFrame'))), [
      'VALIDITY_CONDITIONS_IN_LINE_FILE_1',
    ]);
  });

  const lineCases = { 2: 'ServiceFrame', 3: 'ServiceCalendarFrame', 4: 'TimetableFrame', 5: 'VehicleScheduleFrame' };
  for (const [number, name] of Object.entries(lineCases)) {
    it(`VALIDITY_CONDITIONS_IN_LINE_FILE_${number}: each of several ${name}s has validity conditions`, () => {
      const one = RESOURCES + valid('ServiceFrame', 8) + valid(name, 1);
      assert.deepEqual(inLine(delivery(one + valid(name, 2))), []);
      assert.deepEqual(inLine(delivery(one + frame(name, 2))), [`VALIDITY_CONDITIONS_IN_LINE_FILE_${number}`]);
    });
  }

  it('VALIDITY_CONDITIONS_IN_COMMON_FILE_1: one of the frames has validity conditions', () => {
    for (const name of ['ServiceFrame', 'ServiceCalendarFrame'])
      assert.deepEqual(inCommon(delivery(valid(name))), [], name);
    assert.deepEqual(inCommon(delivery(frame('ServiceFrame'))), ['VALIDITY_CONDITIONS_IN_COMMON_FILE_1']);
  });

  for (const [number, name] of Object.entries({ 2: 'ResourceFrame', 3: 'ServiceFrame', 4: 'ServiceCalendarFrame' })) {
    it(`VALIDITY_CONDITIONS_IN_COMMON_FILE_${number}: each of several ${name}s has validity conditions`, () => {
      const one = valid('ServiceFrame', 8) + valid(name, 1);
      assert.deepEqual(inCommon(delivery(one + valid(name, 2))), []);
      assert.deepEqual(inCommon(delivery(one + frame(name, 2))), [`VALIDITY_CONDITIONS_IN_COMMON_FILE_${number}`]);
    });
  }

  it('TIMETABLE_FRAME_IN_COMMON_FILE: journeys are in line files', () => {
    assert.deepEqual(inLine(delivery(RESOURCES + valid('TimetableFrame'))), []);
    assert.deepEqual(inCommon(delivery(valid('ServiceFrame') + valid('TimetableFrame', 2))), [
      'TIMETABLE_FRAME_IN_COMMON_FILE',
    ]);
  });

  it('SITE_FRAME_IN_LINE_FILE, SITE_FRAME_IN_COMMON_FILE: stops are in the register', () => {
    const services = valid('ServiceFrame');
    const stops = frame('SiteFrame', 1, validity(2));
    assert.deepEqual(inLine(delivery(RESOURCES + services + stops)), ['SITE_FRAME_IN_LINE_FILE']);
    assert.deepEqual(inCommon(delivery(services + stops)), ['SITE_FRAME_IN_COMMON_FILE']);
    assert.deepEqual(inCommon(delivery(services)), []);
  });

  it('frames next to a CompositeFrame obey the same rules', () => {
    const withFrame = (name: string) => composite(RESOURCES).replace('</dataObjects>', `${frame(name)}</dataObjects>`);
    assert.deepEqual(inLine(withFrame('SiteFrame')), ['SITE_FRAME_IN_LINE_FILE']);
    assert.deepEqual(inCommon(withFrame('SiteFrame')), ['SITE_FRAME_IN_COMMON_FILE']);
    assert.deepEqual(inCommon(withFrame('TimetableFrame')), ['TIMETABLE_FRAME_IN_COMMON_FILE']);
    assert.deepEqual(inLine(withFrame('TimetableFrame')), []);
  });

  it('the stop register is exempt', () => {
    const register = { dataset: 'stop-register' } as const;
    assert.deepEqual(codesOf(validateLine(delivery(frame('SiteFrame')), register)), []);
  });
});
