import assert from 'node:assert/strict';
import { codesOf, composite, validateLine } from '../support/sample-files.ts';

const ALL = '<BookingContact/><BookingMethods>online</BookingMethods><MinimumBookingPeriod>PT1H</MinimumBookingPeriod>';
const service = (content: string) => `<ServiceFrame id="ABC:ServiceFrame:1" version="1">${content}</ServiceFrame>`;
const line = (content: string, kind = 'FlexibleLine') =>
  service(`<lines><${kind} id="ABC:${kind}:1" version="1">${content}</${kind}></lines>`);
const pattern = (...stops: string[]) => {
  const points = stops.map((booking, index) => {
    const id = `ABC:StopPointInJourneyPattern:${index}`;
    return `<StopPointInJourneyPattern id="${id}"><BookingArrangements>${booking}</BookingArrangements></StopPointInJourneyPattern>`;
  });
  return service(
    `<journeyPatterns><JourneyPattern id="ABC:JourneyPattern:1" version="1"><pointsInSequence>${points.join('')}` +
      '</pointsInSequence></JourneyPattern></journeyPatterns>',
  );
};
const journey = (properties: string, ref = '1') =>
  '<TimetableFrame id="ABC:TimetableFrame:1" version="1"><vehicleJourneys><ServiceJourney id="ABC:ServiceJourney:1" ' +
  `version="1"><JourneyPatternRef ref="ABC:JourneyPattern:${ref}"/><FlexibleServiceProperties id="ABC:FlexibleServiceProperties:1" ` +
  `version="1">${properties}</FlexibleServiceProperties></ServiceJourney></vehicleJourneys></TimetableFrame>`;
const codes = (...frames: string[]) =>
  codesOf(validateLine(composite(frames.join(''))), /^(BOOKING|BUY_WHEN|FLEXIBLE_LINE_[89])/);

const NOTHING = ['BOOKING_4 ×2', 'BOOKING_5'];

describe('rules on booking', () => {
  it('BOOKING_4 and 5: the data is on the line, the journey or every stop, in any order of frames', () => {
    assert.deepEqual(codes(line(''), pattern('', ''), journey('')), NOTHING);
    for (const frames of [
      [line(ALL), pattern('', ''), journey('')],
      [line(''), pattern('', ''), journey(ALL)],
      [line(''), pattern(ALL, ALL), journey('')],
    ]) {
      assert.deepEqual(codes(...frames), []);
      assert.deepEqual(codes(...frames.toReversed()), []);
    }
    assert.deepEqual(codes(line(''), pattern(ALL, ''), journey('')), NOTHING);
  });

  it('BOOKING_4 and 5: each part may be in another place', () => {
    const [contact = '', methods = '', when = ''] = ALL.split(/(?<=\/>|<\/BookingMethods>)/);
    assert.deepEqual(codes(line(contact), pattern(methods, methods), journey(when)), []);
    assert.deepEqual(codes(line(''), pattern(methods, methods), journey(when)), ['BOOKING_4']);
    const until = '<BookWhen>untilPreviousDay</BookWhen>';
    assert.deepEqual(codes(line(contact + methods), pattern(until, when), journey('')), []);
  });

  it('BOOKING_4 and 5: a missing pattern adds nothing', () => {
    assert.deepEqual(codes(line(''), pattern(ALL), journey('', '2')), NOTHING);
  });

  it('BOOKING_4 and 5: a regular line is not booked', () => {
    assert.deepEqual(codes(line('', 'Line'), pattern(''), journey('')), []);
    assert.deepEqual(codes(pattern(''), journey(''), line('', 'Line')), []);
  });

  it('BOOKING_1 to 3, BUY_WHEN_1: an empty value counts as missing, and other elements have their own rules', () => {
    const wrong = '<BookingAccess/><BookingMethods/><BookWhen>x</BookWhen><BuyWhen>x y</BuyWhen>';
    const found = ['BOOKING_1', 'BOOKING_2', 'BOOKING_3', 'BUY_WHEN_1'];
    assert.deepEqual(codes(line(`${wrong}<BookingContact/>`)), found);
    assert.deepEqual(codes(line(ALL), pattern(wrong)), found);
    assert.deepEqual(codes(line(ALL), journey(wrong)), found);
    assert.deepEqual(codes(line(`${ALL}<bookingArrangements>${wrong}</bookingArrangements>`)), []);
  });
});
