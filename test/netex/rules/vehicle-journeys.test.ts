import assert from 'node:assert/strict';
import { codesOf, composite, validateCommon, validateLine } from '../support/sample-files.ts';

const FAMILY = /^(DATED_SERVICE_JOURNEY|DEAD_RUN|BLOCK)_/;
let frames = 0;
const frame = (name: string, content: string) =>
  `<${name} id="ABC:${name}:${++frames}" version="1">${content}</${name}>`;
const journeys = (...content: string[]) =>
  frame('TimetableFrame', `<vehicleJourneys>${content.join('')}</vehicleJourneys>`);
const codes = (...content: string[]) => codesOf(validateLine(composite(content.join(''))), FAMILY);

const SERVICE = '<ServiceJourneyRef ref="ABC:ServiceJourney:1"/>';
const DAY = '<OperatingDayRef ref="ABC:OperatingDay:1"/>';
const dated = (content: string, id = 1, version = 1) =>
  `<DatedServiceJourney id="ABC:DatedServiceJourney:${id}" version="${version}">${content}</DatedServiceJourney>`;
const replaces = (id: number, kind = 'Service') => `<Dated${kind}JourneyRef ref="ABC:DatedServiceJourney:${id}"/>`;

describe('rules: dated journeys', () => {
  it('elements of one journey do not count for the next', () => {
    assert.deepEqual(codes(journeys(dated(SERVICE + DAY), dated('', 2), dated(SERVICE + DAY, 3))), [
      'DATED_SERVICE_JOURNEY_1',
      'DATED_SERVICE_JOURNEY_2',
    ]);
    assert.deepEqual(codes(journeys(dated(SERVICE + DAY + replaces(8)), dated(SERVICE + DAY + replaces(8), 2))), []);
  });

  it('only its own references count, not those of elements inside', () => {
    const inside = `<calls><Call>${SERVICE}${DAY}</Call></calls>`;
    assert.deepEqual(codes(journeys(dated(SERVICE + DAY + inside))), []);
    assert.deepEqual(codes(journeys(dated(inside))), ['DATED_SERVICE_JOURNEY_1', 'DATED_SERVICE_JOURNEY_2']);
    const elsewhere = `<journeyInterchanges>${SERVICE}${SERVICE}${replaces(1)}${replaces(1)}</journeyInterchanges>`;
    assert.deepEqual(codes(journeys(dated(SERVICE + DAY)) + frame('TimetableFrame', elsewhere)), []);
  });

  it('DATED_SERVICE_JOURNEY_4: another version is reported, in the same frame or another', () => {
    const whole = SERVICE + DAY;
    assert.deepEqual(codes(journeys(dated(whole), dated(whole, 2), dated(whole, 1, 2), dated(whole, 1, 3))), [
      'DATED_SERVICE_JOURNEY_4 ×2',
    ]);
    assert.deepEqual(codes(journeys(dated(whole)), journeys(dated(whole, 1, 2))), ['DATED_SERVICE_JOURNEY_4']);
    assert.deepEqual(codes(journeys(dated(whole + replaces(1)))), []);
  });

  it('DATED_SERVICE_JOURNEY_5: the list of replaced journeys in newer schemas is checked, too', () => {
    const list = (...content: string[]) => `<replacedJourneys>${content.join('')}</replacedJourneys>`;
    const whole = SERVICE + DAY;
    assert.deepEqual(codes(journeys(dated(whole + list(replaces(2, 'Vehicle'), replaces(3, 'Vehicle'))))), []);
    assert.deepEqual(codes(journeys(dated(whole + list(replaces(2, 'Vehicle'), replaces(2, 'Vehicle'))))), [
      'DATED_SERVICE_JOURNEY_5',
    ]);
    assert.deepEqual(codes(journeys(dated(whole + replaces(2) + replaces(3) + replaces(2) + replaces(2)))), [
      'DATED_SERVICE_JOURNEY_5 ×2',
    ]);
  });
});

describe('rules: dead runs and blocks', () => {
  const days = '<dayTypes><DayTypeRef ref="ABC:DayType:1"/></dayTypes>';
  const run = (content: string, id = 1) => `<DeadRun id="ABC:DeadRun:${id}" version="1">${content}</DeadRun>`;
  const whole = `${days}<JourneyPatternRef ref="ABC:JourneyPattern:1"/><passingTimes/>`;
  const block = (content: string, name = 'Block') =>
    `<blocks><${name} id="ABC:${name}:1" version="1">${content}</${name}></blocks>`;

  it('elements of one dead run do not count for the next; a name for its days is not enough', () => {
    assert.deepEqual(codes(journeys(run(whole), run('', 2))), ['DEAD_RUN_1', 'DEAD_RUN_2', 'DEAD_RUN_3']);
    assert.deepEqual(codes(journeys(run(whole.replace(days, '<dayTypes/>')))), ['DEAD_RUN_3']);
    const journey = `<ServiceJourney id="ABC:ServiceJourney:1" version="1">${days}</ServiceJourney>`;
    assert.deepEqual(codes(journeys(run(whole.replace(days, '')), journey)), ['DEAD_RUN_3']);
  });

  it('BLOCK_1: each frame is checked alone, in common files, too', () => {
    const filled = frame('VehicleScheduleFrame', block(`${days}<journeys/>`));
    const empty = frame('VehicleScheduleFrame', '<blocks/>');
    assert.deepEqual(codes(filled, empty, frame('VehicleScheduleFrame', '')), ['BLOCK_1 ×2']);
    assert.deepEqual(codesOf(validateCommon(composite(empty)), FAMILY), ['BLOCK_1']);
    assert.deepEqual(codes(frame('VehicleScheduleFrame', block('', 'TrainBlock'))), []);
    assert.deepEqual(codes(frame('VehicleScheduleFrame', block(''))), ['BLOCK_2', 'BLOCK_3']);
  });
});
