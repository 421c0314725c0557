import assert from 'node:assert/strict';
import { codesOf, composite, serviceFrame, validateCommon, validateLine } from '../support/sample-files.ts';

const FAMILY = /^JOURNEY_PATTERN_/;
const FIRST = 'JOURNEY_PATTERN_NO_ALIGHTING_ALLOWED_AT_FIRST_STOP';
const LAST = 'JOURNEY_PATTERN_NO_BOARDING_ALLOWED_AT_LAST_STOP';

let number = 0;
const stop = (order: string | undefined, content: string, name = 'StopPointInJourneyPattern') =>
  `<${name} id="ABC:${name}:${++number}" version="1"${order === undefined ? '' : ` order="${order}"`}>${content}</${name}>`;
const display = (name: string) => `<DestinationDisplayRef ref="ABC:DestinationDisplay:${name}"/>`;
const start = (order?: string) => stop(order, `<ForAlighting>false</ForAlighting>${display('kaia')}`);
const between = (order?: string, content = '') => stop(order, content);
const end = (order?: string) => stop(order, '<ForBoarding>false</ForBoarding>');

const pattern = (...stops: string[]) =>
  `<JourneyPattern id="ABC:JourneyPattern:${++number}" version="1"><RouteRef ref="ABC:Route:1"/>` +
  `<pointsInSequence>${stops.join('')}</pointsInSequence></JourneyPattern>`;
const patterns = (...content: string[]) => `<journeyPatterns>${content.join('')}</journeyPatterns>`;
const validate = (...content: string[]) => validateLine(serviceFrame(patterns(...content)));
const codes = (...content: string[]) => codesOf(validate(...content), FAMILY);

describe('rules: journey patterns', () => {
  it('the order decides which stop is first and last, not the place', () => {
    assert.deepEqual(codes(pattern(start('1'), between('2'), end('3'))), []);
    assert.deepEqual(codes(pattern(end('30'), start('10'), between('20'))), []);
    assert.deepEqual(codes(pattern(start('3'), between('2'), end('1'))), [
      'JOURNEY_PATTERN_4',
      'JOURNEY_PATTERN_5',
      FIRST,
      LAST,
    ]);
  });

  it('orders are numbers: 10 follows 9', () => {
    assert.deepEqual(codes(pattern(start('9'), end('10'))), []);
    assert.deepEqual(codes(pattern(end('10'), start(' 9 '))), []);
  });

  it('the place decides where orders are missing or equal', () => {
    assert.deepEqual(codes(pattern(start(), between(), end())), []);
    assert.deepEqual(codes(pattern(start('3'), between(), end('1'))), []);
    assert.deepEqual(codes(pattern(start('1'), between('1'), end('1'))), []);
  });

  it('a pattern is checked by its own stops alone', () => {
    const long = pattern(start('1'), between('2'), between('3'), end('4'));
    assert.deepEqual(codes(long, pattern(start('1'), end('2')), long), []);
    assert.deepEqual(codes(long, pattern(), pattern(between('1'), end('2'))), ['JOURNEY_PATTERN_4', FIRST]);
    assert.deepEqual(codes(pattern(end('2'), start('1')), long), []);
  });

  it('JOURNEY_PATTERN_7: a display is repeated by the stop that follows, not by a later one', () => {
    const repeating = pattern(start('1'), between('2', display('kaia')), end('3'));
    assert.deepEqual(codes(repeating), ['JOURNEY_PATTERN_7']);
    const [finding] = validate(repeating).findings.filter(({ code }) => code === 'JOURNEY_PATTERN_7');
    assert.match(finding?.message ?? '', /\(order 2\) of JourneyPattern ABC:\S+ shows ABC:DestinationDisplay:kaia/);
    assert.deepEqual(
      codes(pattern(start('1'), between('2', display('kaia')), between('3', display('kaia')), end('4'))),
      ['JOURNEY_PATTERN_7 ×2'],
    );
    assert.deepEqual(codes(pattern(start('1'), between('2'), between('3', display('kaia')), end('4'))), []);
    assert.deepEqual(
      codes(pattern(between('2', display('torget')), start('1'), between('3', display('kaia')), end('4'))),
      [],
    );
  });

  it('JOURNEY_PATTERN_6: neither boarding nor alighting, in both forms', () => {
    const closed = '<ForAlighting>0</ForAlighting><ForBoarding> false </ForBoarding>';
    assert.deepEqual(codes(pattern(start('1'), between('2', closed), end('3'))), ['JOURNEY_PATTERN_6']);
    const open = '<ForAlighting>false</ForAlighting><ForBoarding>1</ForBoarding>';
    assert.deepEqual(codes(pattern(start('1'), between('2', open), end('3'))), []);
  });

  it('the same elements elsewhere do not apply to a stop', () => {
    const inside = '<onwardServiceLinkRefs><ForBoarding>false</ForBoarding></onwardServiceLinkRefs>';
    assert.deepEqual(codes(pattern(start('1'), stop('2', inside))), [LAST]);
    const timing = stop('0', '', 'TimingPointInJourneyPattern');
    assert.deepEqual(codes(pattern(timing, start('1'), end('2'))), []);
    const other = `<ForAlighting>true</ForAlighting>${display('kaia')}`;
    assert.deepEqual(codes(pattern(start('1'), end('2')) + other), []);
  });

  it('patterns of a ServiceJourneyPattern are not looked into', () => {
    const service =
      `<ServiceJourneyPattern id="ABC:ServiceJourneyPattern:1" version="1">` +
      `<pointsInSequence>${stop('1', '')}</pointsInSequence></ServiceJourneyPattern>`;
    assert.deepEqual(codes(service, pattern(start('1'), end('2'))), ['JOURNEY_PATTERN_1']);
    assert.deepEqual(codes(service), ['JOURNEY_PATTERN_1', 'JOURNEY_PATTERN_2']);
  });

  it('JOURNEY_PATTERN_2: one of several frames is enough; a common file needs none', () => {
    const frame = (id: number, content: string) =>
      `<ServiceFrame id="ABC:ServiceFrame:${id}" version="1">${content}</ServiceFrame>`;
    const two = composite(frame(1, '') + frame(2, patterns(pattern(start('1'), end('2')))));
    assert.deepEqual(codesOf(validateLine(two), FAMILY), []);
    assert.deepEqual(codesOf(validateLine(serviceFrame('')), FAMILY), ['JOURNEY_PATTERN_2']);
    assert.deepEqual(codesOf(validateCommon(serviceFrame('')), FAMILY), []);
  });

  it('the finding is at the stop, with the id of the pattern where the stop has none', () => {
    const nameless =
      '<StopPointInJourneyPattern order="1"><ForAlighting>false</ForAlighting></StopPointInJourneyPattern>';
    const [finding] = validate(pattern(nameless, end('2'))).findings.filter(({ code }) => code === 'JOURNEY_PATTERN_4');
    assert.match(finding?.objectId ?? '', /^ABC:JourneyPattern:/);
    assert.ok((finding?.columnNumber ?? 0) > 1);
  });
});
