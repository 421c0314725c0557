import assert from 'node:assert/strict';
import {
  commonFile,
  dayType,
  lineFile,
  operatingDays,
  type SmallCall,
  type SmallInterchange,
  type SmallJourney,
  validate,
  validateFiles,
  validateResults,
} from '../support/small-timetable.ts';

const CALENDAR = [
  dayType('monday', ['2026-12-01/2027-01-31'], 'Monday'),
  dayType('tuesday', ['2026-12-01/2027-01-31'], 'Tuesday'),
  dayType('workday', ['2026-12-01/2027-01-31', '!2026-12-25'], 'Weekdays'),
  dayType('christmas', ['2026-12-25']),
  dayType('eve', ['2026-12-31']),
  dayType('new-year', ['2027-01-01']),
  dayType('second', ['2027-01-02']),
  dayType('never', ['2026-12-25', '!2026-12-25']),
  operatingDays('2026-12-07', '2026-12-08', '2026-12-09'),
].join('');

const COMMON = commonFile('_common.xml', ['A', 'B', 'C', 'D', 'E'], CALENDAR);
const MEET: SmallInterchange = { id: '1', from: ['in', 'B'], to: ['out', 'C'] };

type Days = Pick<SmallJourney, 'dayTypes' | 'dates'>;

/** A journey that arrives at B, and one of another file that leaves C. */
async function meet(arrival: string, departure: string, comes: Days, leaves: Days, interchange = MEET) {
  const calls = (...list: SmallCall[]) => list;
  const { findings } = await validate([
    lineFile('a.xml', { journeys: [{ id: 'in', calls: calls(['A', '06:00'], ['B', arrival]), ...comes }] }),
    lineFile('b.xml', {
      journeys: [{ id: 'out', calls: calls(['C', departure], ['D', '12:00+2']), ...leaves }],
      interchanges: [interchange],
    }),
    COMMON,
  ]);
  return findings.map(({ code, message }) => `${code}: ${message}`).join('\n');
}

const MONDAY = { dayTypes: ['monday'] };
const TUESDAY = { dayTypes: ['tuesday'] };
const WORKDAY = { dayTypes: ['workday'] };

describe('interchanges over a dataset: days and times', () => {
  it('need a common day on which the consumer leaves in time', async () => {
    assert.equal(await meet('10:00', '10:00', MONDAY, MONDAY), '');
    assert.equal(await meet('10:00', '10:05', MONDAY, WORKDAY), '');
    assert.equal(
      await meet('10:00', '10:05', MONDAY, { dayTypes: ['christmas'] }),
      'RULE_NO_INTERCHANGE_POSSIBLE: ABC:ServiceJourney:in comes to ABC:ScheduledStopPoint:B at 10:00 on 8 days between 2026-12-07 and 2027-01-25; ABC:ServiceJourney:out leaves ABC:ScheduledStopPoint:C at 10:05 on 2026-12-25, and never within 24 hours after the other has come; expected journeys that meet on some day.',
    );
  });

  it('may connect after midnight, by day offset and by the days of the consumer', async () => {
    assert.equal(await meet('23:55', '00:05+1', MONDAY, MONDAY), '');
    assert.equal(await meet('23:55', '00:05', MONDAY, TUESDAY), '');
    assert.equal(await meet('00:10+1', '00:20', MONDAY, TUESDAY), '');
    assert.match(await meet('00:10+1', '00:20', MONDAY, MONDAY), /^RULE_NO_INTERCHANGE_POSSIBLE/);
    assert.match(await meet('23:55', '00:05', MONDAY, MONDAY), /^RULE_NO_INTERCHANGE_POSSIBLE/);
    assert.match(await meet('23:55', '00:05+1', MONDAY, TUESDAY), /^RULE_NO_INTERCHANGE_POSSIBLE/);
  });

  it('may connect over the end of the year', async () => {
    const [eve, first, second] = [{ dayTypes: ['eve'] }, { dayTypes: ['new-year'] }, { dayTypes: ['second'] }];
    assert.equal(await meet('23:59', '00:01', eve, first), '');
    assert.match(await meet('23:59', '00:01', eve, second), /^RULE_NO_INTERCHANGE_POSSIBLE/);
    assert.equal(await meet('23:59+1', '00:01', eve, second), '');
  });

  it('report the shortest wait when it exceeds two hours', async () => {
    assert.equal(await meet('10:00', '12:00', MONDAY, MONDAY), '');
    assert.equal(
      await meet('10:00', '12:01', MONDAY, WORKDAY),
      'RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING: The shortest wait of the interchange is 2 h 1 min: ABC:ServiceJourney:in comes to ABC:ScheduledStopPoint:B at 10:00, ABC:ServiceJourney:out leaves ABC:ScheduledStopPoint:C at 12:01; expected at most 2 hours.',
    );
    assert.match(await meet('10:00', '12:00:01', MONDAY, MONDAY), /is 2 h 1 s: .* at 12:00:01; expected/);
    assert.match(await meet('10:00', '09:55', WORKDAY, WORKDAY), /is 23 h 55 min/);
    assert.match(await meet('22:00', '06:00', MONDAY, TUESDAY), /is 8 h:/);
    assert.match(await meet('23:30', '02:00+1', MONDAY, MONDAY), /is 2 h 30 min: .* at 02:00 the next day/);
  });

  it('use days of day types less exceptions, and dates of dated journeys less cancellations', async () => {
    assert.match(await meet('10:00', '10:05', WORKDAY, { dayTypes: ['christmas'] }), /^RULE_NO_INTERCHANGE_POSSIBLE/);
    assert.equal(await meet('10:00', '10:05', WORKDAY, { dates: ['2026-12-07'] }), '');
    assert.match(await meet('10:00', '10:05', TUESDAY, { dates: ['2026-12-07', '!2026-12-08'] }), /^RULE_NO_INTERCH/);
    assert.equal(await meet('10:00', '10:05', TUESDAY, { dates: ['2026-12-07', '2026-12-08'] }), '');
    assert.match(
      await meet('10:00', '10:05', { dayTypes: ['never'] }, MONDAY),
      /never possible, since ABC:ServiceJourney:in runs on no day at all/,
    );
  });

  it('use the own day of dated journeys', async () => {
    const dated = (day: string): SmallInterchange => ({ ...MEET, to: [`ABC:DatedServiceJourney:out-${day}`, 'C'] });
    const dates = { dates: ['2026-12-07', '2026-12-08'] };
    assert.equal(await meet('10:00', '10:05', MONDAY, dates, dated('2026-12-07')), '');
    assert.match(await meet('10:00', '10:05', MONDAY, dates, dated('2026-12-08')), /^RULE_NO_INTERCHANGE_POSSIBLE/);
  });

  it('are not checked when days are unknown', async () => {
    for (const unknown of [
      {},
      { dayTypes: ['nowhere'] },
      { dayTypes: ['monday', 'nowhere'] },
      { dates: ['2027-07-07'] },
    ]) {
      assert.equal(await meet('10:00', '10:05', { dayTypes: ['christmas'] }, unknown), '');
    }
  });
});

describe('interchanges over a dataset: calls', () => {
  const round: SmallJourney = {
    id: 'round',
    calls: [
      ['A', '10:00', 'ForAlighting'],
      ['B', '10:10'],
      ['A', '13:00', 'ForBoarding'],
    ],
    ...MONDAY,
  };
  const next: SmallJourney = {
    id: 'next',
    calls: [
      ['A', '10:20'],
      ['E', '10:30'],
    ],
    ...MONDAY,
  };
  const later: SmallJourney = {
    id: 'later',
    calls: [
      ['A', '13:05'],
      ['E', '13:30'],
    ],
    ...MONDAY,
  };
  const between = async (from: string, to: string, more = '') => {
    const interchanges = [{ id: '1', from: [from, 'A'] as const, to: [to, 'A'] as const, more }];
    const { findings } = await validate([lineFile('a.xml', { journeys: [round, next, later], interchanges }), COMMON]);
    return findings.map(({ code }) => code);
  };

  it('use the calls that allow alighting and boarding when a journey calls twice at a stop', async () => {
    assert.deepEqual(await between('round', 'later'), []);
    assert.deepEqual(await between('round', 'next'), ['RULE_NO_INTERCHANGE_POSSIBLE']);
    assert.deepEqual(await between('next', 'round'), ['RULE_NO_INTERCHANGE_POSSIBLE']);
  });

  it('report no wait at a last stop, where boarding is impossible', async () => {
    const journeys = [
      { ...next, id: 'soon' },
      { ...later, id: 'late' },
    ];
    const interchanges = [{ id: '1', from: ['soon', 'E'] as const, to: ['late', 'E'] as const }];
    const one = lineFile('a.xml', { journeys, interchanges });
    const text = new TextDecoder().decode(one.bytes);
    const arriving = text.replaceAll('<DepartureTime>13:30:00</DepartureTime>', '<ArrivalTime>13:30:00</ArrivalTime>');
    const { counts } = await validate([{ ...one, bytes: new TextEncoder().encode(text) }, COMMON]);
    assert.deepEqual(counts, { RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING: 1 });
    assert.deepEqual((await validate([{ ...one, bytes: new TextEncoder().encode(arriving) }, COMMON])).counts, {});
  });

  it('use the visit number that the interchange gives', async () => {
    assert.deepEqual(await between('round', 'later', '<FromVisitNumber>2</FromVisitNumber>'), []);
    assert.deepEqual(await between('round', 'later', '<FromVisitNumber>1</FromVisitNumber>'), [
      'INTERCHANGE_ALIGHTING_NOT_ALLOWED_FOR_ALIGHTING_STOP',
      'RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING',
    ]);
    assert.deepEqual(await between('next', 'round', '<ToVisitNumber>2</ToVisitNumber>'), [
      'INTERCHANGE_BOARDING_NOT_ALLOWED_FOR_BOARDING_STOP',
      'RULE_SERVICE_JOURNEYS_HAS_TOO_LONG_WAITING_TIME_WARNING',
    ]);
    assert.deepEqual(await between('round', 'later', '<FromVisitNumber>7</FromVisitNumber>'), []);
  });
});

describe('interchanges over a dataset: totals', () => {
  /**
   * Every third interchange names a stop where the journey does not call, every fifth a journey that does not exist.
   */
  const many = (file: string, count: number) =>
    Array.from(
      { length: count },
      (_, number): SmallInterchange => ({
        id: `${file}${number}`,
        from: [number % 5 === 0 ? 'nobody' : 'in', number % 3 === 0 ? 'E' : 'B'],
        to: ['out', 'C'],
      }),
    );
  const dataset = () => [
    lineFile('c.xml', { name: 'Ringen', interchanges: many('c', 130) }),
    lineFile('a.xml', {
      name: 'Ringen',
      journeys: [
        {
          id: 'in',
          calls: [
            ['A', '10:00'],
            ['B', '10:05'],
          ],
          ...MONDAY,
        },
      ],
    }),
    lineFile('b.xml', {
      journeys: [
        {
          id: 'out',
          calls: [
            ['C', '10:10'],
            ['D', '10:20'],
          ],
          ...MONDAY,
        },
      ],
      interchanges: many('b', 7),
    }),
    COMMON,
  ];

  it('are all counted, and listed at their place in their file', async () => {
    const { counts, findings } = await validate(dataset());
    assert.deepEqual(counts, {
      DUPLICATE_LINE_NAME: 1,
      FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF: 35 + 2,
      RULE_NON_EXISTING_SERVICE_JOURNEY_REF: 26 + 2,
    });
    const [first] = findings;
    assert.deepEqual([first?.fileName, first?.objectId], ['b.xml', 'ABC:ServiceJourneyInterchange:b0']);
    assert.ok((first?.columnNumber ?? 0) > 1000);
  });

  it('list fifty findings of a rule and file, also when they are checked in parts', async () => {
    const bad = Array.from({ length: 120 }, (_, number): SmallInterchange => {
      return { ...MEET, id: `x${number}`, to: ['out', 'A'] };
    });
    const files = [...dataset().slice(1), lineFile('d.xml', { interchanges: bad })];
    const { counts, findings } = await validate(files, { interchangesPerPass: 25 });
    const rule = 'TO_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_TO_JOURNEY_REF';
    assert.equal(counts[rule], 120);
    const listed = findings.filter(({ code }) => code === rule).map(({ objectId }) => objectId);
    assert.deepEqual(
      listed,
      bad.slice(0, 50).map(({ id }) => `ABC:ServiceJourneyInterchange:${id}`),
    );
  });

  it('keep a limited number of findings, and count the rest', async () => {
    const results = validateFiles(dataset());
    const all = await validateResults(results);
    const some = await validateResults(results, { findingsHeld: 10 });
    assert.deepEqual(some.counts, all.counts);
    assert.equal(some.findings.length, 10);
    assert.deepEqual(
      (await validateResults(new Map([...results].toReversed()), { findingsHeld: 10 })).findings,
      some.findings,
    );
  });

  it('give the same findings for any order of results and any number of interchanges in memory', async () => {
    const results = validateFiles(dataset());
    const { reads: _, ...expected } = await validateResults(results);
    assert.equal(expected.findings.length > 20, true);
    const turned = new Map([...results].toReversed());
    for (const interchangesPerPass of [1, 6, 7, 8, 129, 1000]) {
      for (const source of [results, turned]) {
        const { counts, findings } = await validateResults(source, { interchangesPerPass });
        assert.deepEqual({ counts, findings }, expected);
      }
    }
  });

  it('read nothing again for a dataset without interchanges', async () => {
    const files = dataset().slice(1, 2);
    const { reads } = await validate([...files, COMMON]);
    assert.deepEqual([...reads.values()], [2, 2]);
  });

  it('report no missing journey while a file is unreadable', async () => {
    const broken = { name: 'z.xml', kind: 'line' as const, bytes: new TextEncoder().encode('<PublicationDelivery>') };
    const { counts } = await validate([...dataset(), broken]);
    assert.equal(counts.RULE_NON_EXISTING_SERVICE_JOURNEY_REF, undefined);
    assert.equal(counts.FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF, 37);
  });

  it('use the journey of the first file by name, where two files have the same id', async () => {
    const journey = (stop: string): SmallJourney => ({
      id: 'in',
      calls: [
        ['A', '10:00'],
        [stop, '10:05'],
      ],
      ...MONDAY,
    });
    const [, , out] = dataset();
    const files = [out, COMMON].flatMap((one) => (one ? [one] : []));
    const [one, other] = [
      lineFile('1.xml', { journeys: [journey('B')] }),
      lineFile('2.xml', { journeys: [journey('E')] }),
    ];
    const code = 'FROM_POINT_REF_IN_INTERCHANGE_IS_NOT_PART_OF_FROM_JOURNEY_REF';
    for (const order of [
      [one, other],
      [other, one],
    ]) {
      assert.equal((await validate([...order, ...files])).counts[code], 2);
    }
  });
});
