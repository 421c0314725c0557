import assert from 'node:assert/strict';
import { codesOf, composite, validateLine } from '../support/sample-files.ts';

const FAMILY = /^SERVICE_JOURNEY_/;
const frame = (kind: string, id: string, content: string) =>
  `<${kind} id="ABC:${kind}:${id}" version="1">${content}</${kind}>`;
const journeys = (content: string, id = '1') =>
  frame('TimetableFrame', id, `<vehicleJourneys>${content}</vehicleJourneys>`);
const lines = (operator: string) =>
  frame('ServiceFrame', 'line', `<lines><Line id="ABC:Line:1" version="1">${operator}</Line></lines>`);
const patterns = (stops: number, kind = 'JourneyPattern') =>
  frame(
    'ServiceFrame',
    'pattern',
    `<journeyPatterns><${kind} id="ABC:JourneyPattern:1" version="1"><pointsInSequence>${Array.from(
      { length: stops },
      (_, index) => `<StopPointInJourneyPattern id="ABC:StopPointInJourneyPattern:${index}" version="1"/>`,
    ).join('')}</pointsInSequence></${kind}></journeyPatterns>`,
  );

const time = (id: number, text: string) =>
  `<TimetabledPassingTime id="ABC:TimetabledPassingTime:${id}" version="1">${text}</TimetabledPassingTime>`;
const TIMES = time(1, '<DepartureTime>10:00:00</DepartureTime>') + time(2, '<ArrivalTime>10:10:00</ArrivalTime>');
const DAYS = '<dayTypes><DayTypeRef ref="ABC:DayType:1"/></dayTypes>';
const PATTERN = '<JourneyPatternRef ref="ABC:JourneyPattern:1" version="1"/>';
const OPERATOR = '<OperatorRef ref="ABC:Operator:1"/>';
const journey = (content: string, id = '1', version = '1') =>
  `<ServiceJourney id="ABC:ServiceJourney:${id}" version="${version}">${content}</ServiceJourney>`;
const passing = (times: string) => `<passingTimes>${times}</passingTimes>`;
const whole = (times = TIMES) => DAYS + PATTERN + OPERATOR + passing(times);

const validate = (...frames: string[]) => validateLine(composite(frames.join('')));
const codes = (...frames: string[]) => codesOf(validate(...frames), FAMILY);
const messages = (...frames: string[]) =>
  validate(...frames)
    .findings.filter(({ code }) => FAMILY.test(code))
    .map(({ code, message }) => `${code}: ${message}`);

describe('rules on service journeys', () => {
  it('frames may have any order', () => {
    const parts = [journeys(journey(DAYS + PATTERN + passing(TIMES))), lines(OPERATOR), patterns(2)];
    for (const frames of [parts, parts.toReversed(), [parts[1] ?? '', parts[0] ?? '', parts[2] ?? '']])
      assert.deepEqual(codes(...frames), []);
  });

  it('SERVICE_JOURNEY_1: each TimetableFrame has a journey', () => {
    const other = '<TemplateServiceJourney id="ABC:TemplateServiceJourney:1" version="1"/>';
    const frames = [patterns(2), journeys(journey(whole())), journeys(other, '2')];
    const [finding, ...more] = validate(...frames).findings.filter(({ code }) => FAMILY.test(code));
    assert.deepEqual([finding?.code, finding?.objectId, more], ['SERVICE_JOURNEY_1', 'ABC:TimetableFrame:2', []]);
  });

  it('SERVICE_JOURNEY_4 to 6: a journey without passing times gets a finding for each missing part', () => {
    assert.deepEqual(codes(patterns(2), journeys(journey(DAYS + PATTERN + OPERATOR))), [
      'SERVICE_JOURNEY_15',
      'SERVICE_JOURNEY_3',
      'SERVICE_JOURNEY_5',
      'SERVICE_JOURNEY_6',
    ]);
    const one = time(1, '');
    assert.deepEqual(codes(patterns(1), journeys(journey(whole(one)))), [
      'SERVICE_JOURNEY_4',
      'SERVICE_JOURNEY_5',
      'SERVICE_JOURNEY_6',
    ]);
  });

  it('SERVICE_JOURNEY_4 to 9 and 17: a DeadRun has its own rules', () => {
    const deadRun = `<DeadRun id="ABC:DeadRun:1" version="1">${passing('<TimetabledPassingTime/>'.repeat(2))}</DeadRun>`;
    assert.deepEqual(codes(patterns(2), journeys(journey(whole()) + deadRun)), []);
  });

  it('SERVICE_JOURNEY_7: every form of days counts', () => {
    const stay = (offsets: string) =>
      time(1, '<DepartureTime>10:00:00</DepartureTime>') +
      time(2, `<ArrivalTime>11:00:00</ArrivalTime><DepartureTime>11:00:00</DepartureTime>${offsets}`) +
      time(3, '<ArrivalTime>12:00:00</ArrivalTime>');
    const identical = (offsets: string) => codes(patterns(3), journeys(journey(whole(stay(offsets)))));
    assert.deepEqual(identical(''), ['SERVICE_JOURNEY_7']);
    assert.deepEqual(identical('<ArrivalDayOffset>0</ArrivalDayOffset>'), ['SERVICE_JOURNEY_7']);
    assert.deepEqual(identical('<DepartureDayOffset>1</DepartureDayOffset>'), []);
    const both = '<ArrivalDayOffset>1</ArrivalDayOffset><DepartureDayOffset>1</DepartureDayOffset>';
    assert.deepEqual(identical(both), ['SERVICE_JOURNEY_7']);
  });

  it('SERVICE_JOURNEY_12: the operator of another element does not count', () => {
    const block = frame('VehicleScheduleFrame', '1', `<blocks><Block id="ABC:Block:1">${OPERATOR}</Block></blocks>`);
    const without = journeys(journey(DAYS + PATTERN + passing(TIMES)) + journey(whole(), '2'));
    const [found] = messages(patterns(2), lines(''), block, without).filter((text) => /_12:/.test(text));
    assert.match(found ?? '', /Neither ServiceJourney ABC:ServiceJourney:1 nor its line has an OperatorRef/);
  });

  it('SERVICE_JOURNEY_13 and 14: dated journeys may be before and in another frame', () => {
    const dated = `<DatedServiceJourney id="ABC:DatedServiceJourney:1" version="1"><ServiceJourneyRef ref="ABC:ServiceJourney:1"/></DatedServiceJourney>`;
    const undated = journey(PATTERN + OPERATOR + passing(TIMES));
    assert.deepEqual(codes(patterns(2), journeys(dated, '2'), journeys(undated)), ['SERVICE_JOURNEY_1']);
    assert.deepEqual(codes(patterns(2), journeys(undated)), ['SERVICE_JOURNEY_13']);
    assert.deepEqual(codes(patterns(2), journeys(dated + journey(whole()))), ['SERVICE_JOURNEY_14']);
    const empty = journey(`<dayTypes/>${PATTERN}${OPERATOR}${passing(TIMES)}`);
    assert.deepEqual(codes(patterns(2), journeys(empty)), ['SERVICE_JOURNEY_13']);
  });

  it('SERVICE_JOURNEY_15: the message has the counts', () => {
    const [differs] = messages(patterns(3), journeys(journey(whole())));
    assert.match(differs ?? '', /_15: .* has 2 passing times, but JourneyPattern ABC:JourneyPattern:1 has 3 stops/);
    const [unknown] = messages(journeys(journey(whole())));
    assert.match(unknown ?? '', /_15: .*ABC:JourneyPattern:1 is not in the file/);
    const none = messages(patterns(2), journeys(journey(DAYS + OPERATOR + passing(TIMES))));
    assert.equal(none.length, 2);
    assert.match(none.join(), /_10: .*_15: .*no JourneyPattern/);
    assert.deepEqual(codes(patterns(2, 'ServiceJourneyPattern'), journeys(journey(whole()))), []);
  });

  it('SERVICE_JOURNEY_16 and 17: each repetition is reported, at its own place', () => {
    const again = journey(whole(), '1', '2') + journey(whole(), '1', '3');
    const found = codes(patterns(2), journeys(journey(whole()) + again));
    assert.deepEqual(found, ['SERVICE_JOURNEY_16 ×2', 'SERVICE_JOURNEY_17 ×4']);
  });

  it('counts every passing time without id, and lists fifty', () => {
    const result = validate(patterns(200), journeys(journey(whole('<TimetabledPassingTime/>'.repeat(200)))));
    assert.deepEqual([result.counts.SERVICE_JOURNEY_8, result.counts.SERVICE_JOURNEY_9], [200, 200]);
    const listed = result.findings.filter(({ code }) => code === 'SERVICE_JOURNEY_8');
    assert.equal(listed.length, 50);
    assert.match(listed[49]?.message ?? '', /^Passing time 50 of ServiceJourney ABC:ServiceJourney:1 has no id/);
  });
});
