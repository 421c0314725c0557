/** Validity of entities: their own conditions, otherwise those of the frames around them. */
import assert from 'node:assert/strict';
import { dayText } from '../../../netex/model/calendar-day.ts';
import { read } from './read-entities.ts';

const between = (from = '', to = ''): string =>
  `<ValidBetween>${from && `<FromDate>${from}</FromDate>`}${to && `<ToDate>${to}</ToDate>`}</ValidBetween>`;
const available = (from: string, to: string, more = ''): string =>
  `<AvailabilityCondition id="AC" version="1"><FromDate>${from}</FromDate><ToDate>${to}</ToDate>${more}</AvailabilityCondition>`;
const conditions = (...list: string[]): string => `<validityConditions>${list.join('')}</validityConditions>`;

interface Conditions {
  readonly composite?: string;
  readonly frame?: string;
  readonly own?: string;
}

/** `first/last` of each period of a journey in a frame of a composite frame; `-` where it is always valid. */
function validityOf({ composite = '', frame = '', own = '' }: Conditions): string {
  const [journey] = read(
    'serviceJourney',
    `<CompositeFrame id="C">${composite}<frames><TimetableFrame id="T">${frame}<vehicleJourneys><ServiceJourney id="J">${own}</ServiceJourney></vehicleJourneys></TimetableFrame></frames></CompositeFrame>`,
  );
  const { validity } = journey ?? {};
  const text = (day: number): string => (Number.isFinite(day) ? dayText(day) : '');
  return validity === undefined ? '-' : validity.map(({ first, last }) => `${text(first)}/${text(last)}`).join(' ');
}

describe('validity of entities', () => {
  it('is that of the frame, both dates included at any time of day', () => {
    assert.equal(validityOf({}), '-');
    assert.equal(
      validityOf({ frame: conditions(available('2026-01-01T12:30:00', '2026-01-31T00:00:00')) }),
      '2026-01-01/2026-01-31',
    );
    assert.equal(validityOf({ frame: conditions(between('2026-01-01')) }), '2026-01-01/');
    assert.equal(validityOf({ frame: between('', '2026-01-31T23:59:59+01:00') }), '/2026-01-31');
  });

  it('is the intersection of all frames around', () => {
    const composite = conditions(available('2026-01-01', '2026-06-30'));
    assert.equal(validityOf({ composite }), '2026-01-01/2026-06-30');
    assert.equal(validityOf({ composite, frame: between('2026-03-01', '2026-12-31') }), '2026-03-01/2026-06-30');
    const spring = conditions(between('', '2026-02-15'), between('2026-03-01', '2026-03-31'), between('2026-06-01'));
    assert.equal(
      validityOf({ composite, frame: spring }),
      '2026-01-01/2026-02-15 2026-03-01/2026-03-31 2026-06-01/2026-06-30',
    );
    assert.equal(validityOf({ composite, frame: between('2026-07-01') }), '');
  });

  it('is that of the element where it has conditions', () => {
    const composite = conditions(between('2026-01-01', '2026-06-30'));
    assert.equal(validityOf({ composite, own: between('2026-05-01', '2026-07-31') }), '2026-05-01/2026-07-31');
    assert.equal(
      validityOf({ composite, own: conditions(available('2026-05-01', '2026-05-02')) }),
      '2026-05-01/2026-05-02',
    );
  });

  it('is the union of several conditions, without faulty ones and those of unavailability', () => {
    assert.equal(
      validityOf({ frame: conditions(between('2026-03-01', '2026-03-31'), available('2026-01-01', '2026-01-31')) }),
      '2026-01-01/2026-01-31 2026-03-01/2026-03-31',
    );
    assert.equal(
      validityOf({
        own: conditions(between('2026-03-01'), between('2026-02-01', '2026-02-28'), between('', '2026-01-31')),
      }),
      '/',
    );
    const not = available('2026-01-01', '2026-01-31', '<IsAvailable>false</IsAvailable>');
    assert.equal(validityOf({ frame: conditions(not) }), '-');
    assert.equal(validityOf({ frame: conditions(between('2026-02-01', '2026-01-01')) }), '-');
    assert.equal(validityOf({ own: conditions('<AvailabilityConditionRef ref="AC"/>') }), '-');
  });

  it('ignores conditions on content, of other frames, and of elements in the frame', () => {
    const content = `<contentValidityConditions>${available('2026-01-01', '2026-01-31')}</contentValidityConditions>`;
    assert.equal(validityOf({ frame: content }), '-');
    const group = `<groupsOfServices><GroupOfServices id="G">${between('2026-01-01')}</GroupOfServices></groupsOfServices>`;
    assert.equal(validityOf({ frame: group }), '-');
    const [line] = read(
      'line',
      `<TimetableFrame id="T">${between('2026-01-01')}</TimetableFrame><ServiceFrame id="S"><lines><Line id="L"/></lines></ServiceFrame>`,
    );
    assert.equal(line?.validity, undefined);
  });
});
