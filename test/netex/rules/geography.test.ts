/**
 * Subtle cases of rules on places and speeds. The plain cases are in test/spec/rules/{speeds,stops-and-distances}.yaml.
 */
import assert from 'node:assert/strict';
import { distanceMetres } from '../../../netex/geo/distance.ts';
import { describeMetres } from '../../../netex/rules/pattern-geography.ts';
import { roundBeyond } from '../../../netex/rules/round-beyond.ts';
import type { ValidationContext } from '../../../netex/validation-context.ts';
import { codesOf, composite, stopRegisterOf, validateCommon, validateLine } from '../support/sample-files.ts';

const FAMILY = /SPEED|DISTANCE|INVALID_TRANSPORT/;

/** Quays 0 … 9 in a row, a kilometre from each other; 9 has no position. */
const quays = (prefix: string, stepDegrees = 0.009) =>
  Array.from({ length: 10 }, (_, n) => {
    const where = `<Centroid><Location><Longitude>5</Longitude><Latitude>${60 + n * stepDegrees}</Latitude></Location></Centroid>`;
    return `<Quay id="${prefix}:Quay:${n}" version="1">${n === 9 ? '' : where}</Quay>`;
  }).join('');
const place = (prefix: string, mode = 'bus', stepDegrees?: number) =>
  `<stopPlaces><StopPlace id="${prefix}:StopPlace:1" version="1"><Name>Gata</Name><TransportMode>${mode}</TransportMode><quays>${quays(prefix, stepDegrees)}</quays></StopPlace></stopPlaces>`;
const REGISTER = stopRegisterOf(place('NSR'));

interface Sample {
  /** The pattern's quays. */
  readonly stops: readonly number[];
  /** Departures; `arrival/departure` for both; empty for no time at the stop. */
  readonly times?: readonly string[];
  readonly lineMode?: string;
  /** Content of each journey as XML; by default one journey without any. */
  readonly journeys?: readonly string[];
  readonly prefix?: string;
  readonly more?: string;
}

const id = (kind: string, local: string | number) => `id="ABC:${kind}:${local}" version="1"`;

function timeXml(written: string, place: number): string {
  const [arrival = '', departure = ''] = written.includes('/') ? written.split('/') : ['', written];
  const element = (name: string, time: string) => (time === '' ? '' : `<${name}>${time}</${name}>`);
  return (
    `<TimetabledPassingTime ${id('TimetabledPassingTime', place)}><StopPointInJourneyPatternRef ref="ABC:StopPointInJourneyPattern:${place}" version="1"/>` +
    `${element('ArrivalTime', arrival)}${element('DepartureTime', departure)}</TimetabledPassingTime>`
  );
}

function sample({ stops, times = [], lineMode = 'bus', journeys = [''], prefix = 'NSR', more = '' }: Sample): string {
  const points = stops.map(
    (stop, n) =>
      `<StopPointInJourneyPattern ${id('StopPointInJourneyPattern', n)} order="${n + 1}"><ScheduledStopPointRef ref="ABC:ScheduledStopPoint:${stop}"/></StopPointInJourneyPattern>`,
  );
  const assignments = [...new Set(stops)].map(
    (stop) =>
      `<PassengerStopAssignment ${id('PassengerStopAssignment', stop)} order="1"><ScheduledStopPointRef ref="ABC:ScheduledStopPoint:${stop}"/><QuayRef ref="${prefix}:Quay:${stop}"/></PassengerStopAssignment>`,
  );
  const runs = journeys.map(
    (inside, n) =>
      `<ServiceJourney ${id('ServiceJourney', n)}>${inside}<JourneyPatternRef ref="ABC:JourneyPattern:1"/><LineRef ref="ABC:Line:1"/>` +
      `<passingTimes>${times.map((time, at) => (time === '' ? '' : timeXml(time, at))).join('')}</passingTimes></ServiceJourney>`,
  );
  return composite(
    `<ServiceFrame ${id('ServiceFrame', 1)}><lines><Line ${id('Line', 1)}><TransportMode>${lineMode}</TransportMode></Line></lines>` +
      `<journeyPatterns><JourneyPattern ${id('JourneyPattern', 1)}><pointsInSequence>${points.join('')}</pointsInSequence></JourneyPattern></journeyPatterns>` +
      `<stopAssignments>${assignments.join('')}</stopAssignments></ServiceFrame>` +
      `<TimetableFrame ${id('TimetableFrame', 1)}><vehicleJourneys>${runs.join('')}</vehicleJourneys></TimetableFrame>${more}`,
  );
}

const codes = (of: Sample, context: Partial<ValidationContext> = { stopRegister: REGISTER }) =>
  codesOf(validateLine(sample(of), context), FAMILY);

describe('rules: distances on the earth', () => {
  it('a degree of latitude is 111 km everywhere, and a degree of longitude less in the north', () => {
    assert.ok(Math.abs(distanceMetres(60, 5, 61, 5) - 111_195) < 1);
    assert.ok(Math.abs(distanceMetres(60, 5, 60, 6) - 55_597) < 10);
    assert.equal(distanceMetres(60, 5, 60, 5), 0);
    assert.ok(Math.abs(distanceMetres(0, 0, 0, 180) - Math.PI * 6_371_000) < 1);
    assert.ok(Number.isNaN(distanceMetres(60, Number.NaN, 60, 5)));
  });
});

describe('rules: numbers and their limits in messages', () => {
  it('have as many decimals as they need to differ', () => {
    assert.equal(describeMetres(999.6, 1000), '999.6 m');
    assert.equal(describeMetres(10_020, 10_000), '10.02 km');
    assert.equal(describeMetres(20.4, 20), '20.4 m');
    assert.equal(describeMetres(20.4, 100), '20 m');
    assert.equal(describeMetres(12_360, 10_000), '12.4 km');
    assert.equal(roundBeyond(1000.04, 1000, 0), 1000.04);
  });
});

describe('rules: speeds', () => {
  it('arrival ends a hop, departure begins it; dwell time does not count', () => {
    assert.deepEqual(codes({ stops: [0, 1, 2], times: ['10:00:00', '10:02:00/10:40:00', '10:42:00'] }), []);
    assert.deepEqual(codes({ stops: [0, 1, 2], times: ['10:00:00', '10:02:00/10:40:00', '10:40:20'] }), ['HIGH_SPEED']);
  });

  it('a stop without a time is skipped, and the distance is that between stops with times', () => {
    assert.deepEqual(codes({ stops: [0, 1, 2, 3], times: ['10:00:00', '', '', '10:01:10'] }), ['HIGH_SPEED']);
    assert.deepEqual(codes({ stops: [0, 1, 2, 3], times: ['10:00:00', '', '', '10:05:00'] }), []);
  });

  it('each journey and hop is counted, at the passing time where it ends', () => {
    const result = validateLine(
      sample({ stops: [0, 1, 2], times: ['10:00:00', '10:00:20', '10:00:40'], journeys: ['', ''] }),
      { stopRegister: REGISTER },
    );
    assert.deepEqual(codesOf(result, FAMILY), ['HIGH_SPEED ×4']);
    const { objectId, message } = result.findings.find(({ code }) => code === 'HIGH_SPEED') ?? assert.fail();
    assert.equal(objectId, 'ABC:ServiceJourney:0');
    assert.match(
      message,
      /^ServiceJourney ABC:ServiceJourney:0 leaves Gata \(NSR:Quay:0\) at 10:00 .* 1 km away, at 10:00:20/,
    );
  });

  it('messages name the day, allow for rounding only where times are rounded, and never equal the limit', () => {
    const messageOf = (times: string[], stops = [0, 1]): string => {
      const { findings } = validateLine(sample({ stops, times }), { stopRegister: REGISTER });
      return findings.find(({ code }) => FAMILY.test(code))?.message ?? assert.fail(times.join());
    };
    assert.match(messageOf(['10:00:00', '10:00:20']), /expected at most 120 km\/h for bus\.$/);
    assert.match(
      messageOf(['10:00:00', '11:00:00']),
      /at 11:00: 1 km\/h; .* for bus, two minutes of rounding allowed for\.$/,
    );
    assert.match(messageOf(['10:00:00', '10:12:01']), /at 10:12:01: 4\.997 km\/h; expected at least 5 km\/h/);
    assert.match(messageOf(['23:50:00', '24:59:00']), /at 00:59 the next day: 0\.9 km\/h/);
  });

  it('nothing is checked after a time earlier than the one before it', () => {
    assert.deepEqual(codes({ stops: [0, 1, 2], times: ['10:00:00', '09:50:00', '09:50:20'] }), []);
    assert.deepEqual(codes({ stops: [0, 1, 2], times: ['10:00:00', '10:05:00/10:04:00', '10:04:20'] }), []);
    assert.deepEqual(codes({ stops: [0, 1, 2], times: ['10:00:00', '10:00:20', '09:50:00'] }), ['HIGH_SPEED']);
  });

  it('the day offset counts over midnight', () => {
    const late = sample({ stops: [0, 1], times: ['23:59:00', '00:01:00'] }).replace(
      '<DepartureTime>00:01:00</DepartureTime>',
      '<DepartureTime>00:01:00</DepartureTime><DepartureDayOffset>1</DepartureDayOffset>',
    );
    assert.deepEqual(codesOf(validateLine(late, { stopRegister: REGISTER }), FAMILY), []);
  });

  it("the journey's own mode counts before its line's; a mode without limits is not checked", () => {
    const times = ['10:00:00', '10:00:28'];
    const mode = (name: string) => [`<TransportMode>${name}</TransportMode>`];
    assert.deepEqual(codes({ stops: [0, 1], times, journeys: mode('coach') }), ['WARNING_SPEED']);
    assert.deepEqual(codes({ stops: [0, 1], times }), ['HIGH_SPEED']);
    assert.deepEqual(codes({ stops: [0, 1], times, lineMode: 'other' }), ['INVALID_TRANSPORT_MODE']);
  });

  it('stops without a position, unknown stops and stops at one spot have no speed', () => {
    assert.deepEqual(codes({ stops: [8, 9], times: ['10:00:00', '10:00:01'] }), []);
    assert.deepEqual(codes({ stops: [0, 1], times: ['10:00:00', '10:00:01'] }, {}), []);
    const spot = stopRegisterOf(place('NSR', 'bus', 0));
    assert.deepEqual(codes({ stops: [0, 1], times: ['10:00:00', '10:59:00'] }, { stopRegister: spot }), [
      'DISTANCE_BETWEEN_STOP_POINTS_LESS_THAN_EXPECTED',
    ]);
  });
});

describe('rules: distances of stops', () => {
  const tram = (...modes: string[]) => modes.map((mode) => `<TransportMode>${mode}</TransportMode>`);

  it('have the limits of the modes of the journeys of the pattern, not of the line alone', () => {
    const far = { stopRegister: stopRegisterOf(place('NSR', 'rail', 0.02)) };
    const more = ['DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED'];
    const only = (of: Sample) => codes(of, far).filter((code) => code.startsWith('DISTANCE'));
    assert.deepEqual(only({ stops: [0, 1], journeys: tram('metro') }), more);
    assert.deepEqual(only({ stops: [0, 1], journeys: tram('metro', 'bus') }), []);
    assert.deepEqual(only({ stops: [0, 1], journeys: tram('metro', 'other') }), []);
    assert.deepEqual(only({ stops: [0, 1], journeys: [], lineMode: 'metro' }), more);
  });

  it('name each mode of transport of the pattern once', () => {
    const far = { stopRegister: stopRegisterOf(place('NSR', 'bus', 0.1)) };
    const file = sample({ stops: [0, 1], journeys: tram('metro', 'bus', 'metro', 'bus', 'metro') });
    const [finding] = validateLine(file, far).findings.filter(({ code }) => code.startsWith('DISTANCE'));
    assert.match(finding?.message ?? '', /expected at most 10 km for metro or bus\.$/);
  });

  it('no distance is too short between calls at the same quay', () => {
    assert.deepEqual(codes({ stops: [0, 0, 1] }), []);
  });

  it('each pair of a pattern counts once, for any number of journeys', () => {
    const far = { stopRegister: stopRegisterOf(place('NSR', 'bus', 0.1)) };
    assert.deepEqual(codes({ stops: [0, 1, 2], journeys: ['', '', ''] }, far), [
      'DISTANCE_BETWEEN_STOP_POINTS_MORE_THAN_EXPECTED ×2',
    ]);
  });
});

describe('rules: modes of quays', () => {
  const at = (stopMode: string, lineMode: string) =>
    codes({ stops: [0, 1], lineMode }, { stopRegister: stopRegisterOf(place('NSR', stopMode)) }).includes(
      'INVALID_TRANSPORT_MODE',
    );

  it('buses and coaches share stops, taxis use them, ferries are on the water', () => {
    for (const [stop, line] of [
      ['bus', 'coach'],
      ['coach', 'bus'],
      ['bus', 'taxi'],
      ['coach', 'taxi'],
      ['water', 'ferry'],
    ] as const) {
      assert.equal(at(stop, line), false, `${line} at ${stop}`);
    }
    for (const [stop, line] of [
      ['taxi', 'bus'],
      ['rail', 'bus'],
      ['tram', 'metro'],
      ['rail', 'taxi'],
    ] as const) {
      assert.equal(at(stop, line), true, `${line} at ${stop}`);
    }
  });

  it('a stop of unknown mode is accepted for all modes', () => {
    assert.equal(at('unknown', 'bus'), false);
    assert.equal(at('', 'bus'), false);
  });

  it('rail replacement buses may use ordinary bus stops', () => {
    const replacement = [
      '<TransportMode>bus</TransportMode><TransportSubmode><BusSubmode>railReplacementBus</BusSubmode></TransportSubmode>',
    ];
    assert.deepEqual(codes({ stops: [0, 1], journeys: replacement }), []);
    const stops = place('NSR').replace(
      '</TransportMode>',
      '</TransportMode><BusSubmode>railReplacementBus</BusSubmode>',
    );
    const stopRegister = stopRegisterOf(stops);
    assert.deepEqual(codes({ stops: [0, 1], journeys: replacement }, { stopRegister }), []);
    assert.deepEqual(codes({ stops: [0, 1] }, { stopRegister }), ['INVALID_TRANSPORT_SUB_MODE']);
  });

  it('a journey gets one finding, with the quays', () => {
    const result = validateLine(sample({ stops: [0, 1, 2, 3, 4, 0] }), {
      stopRegister: stopRegisterOf(place('NSR', 'rail')),
    });
    assert.deepEqual(codesOf(result, /INVALID_TRANSPORT/), ['INVALID_TRANSPORT_MODE']);
    assert.match(
      result.findings.find(({ code }) => code === 'INVALID_TRANSPORT_MODE')?.message ?? '',
      /Quay:2\) and 2 more;/,
    );
  });
});

describe('rules: sources of stops', () => {
  const fast: Sample = { stops: [0, 1], times: ['10:00:00', '10:00:20'], prefix: 'ABC' };
  const frame = `<SiteFrame ${id('SiteFrame', 1)}>${place('ABC')}</SiteFrame>`;

  it("are read from the file's own SiteFrame, even at its end", () => {
    assert.deepEqual(codes({ ...fast, more: frame }, {}), ['HIGH_SPEED']);
  });

  it('are read from SiteFrames of common files', () => {
    assert.deepEqual(codes(fast, { datasetStops: stopRegisterOf(place('ABC')) }), ['HIGH_SPEED']);
  });

  it('are taken from the register before both', () => {
    const far = stopRegisterOf(place('ABC', 'bus', 0.001));
    assert.deepEqual(
      codes({ ...fast, more: frame }, { stopRegister: far, datasetStops: stopRegisterOf(place('ABC')) }),
      [],
    );
  });

  it('cause no finding for an unknown quay', () => {
    assert.deepEqual(codes(fast, { stopRegister: REGISTER }), []);
  });
});

describe('rules: ends of drawn links', () => {
  const link = (positions: string, inside = `<gml:posList>${positions}</gml:posList>`) =>
    composite(
      `<ServiceFrame ${id('ServiceFrame', 1)}><serviceLinks><ServiceLink ${id('ServiceLink', 1)}><projections>` +
        `<LinkSequenceProjection ${id('LinkSequenceProjection', 1)}><gml:LineString xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="LS">${inside}</gml:LineString>` +
        '</LinkSequenceProjection></projections><FromPointRef ref="ABC:ScheduledStopPoint:0"/><ToPointRef ref="ABC:ScheduledStopPoint:1"/></ServiceLink></serviceLinks>' +
        [0, 1]
          .map(
            (stop) =>
              `<PassengerStopAssignment ${id('PassengerStopAssignment', stop)} order="1"><ScheduledStopPointRef ref="ABC:ScheduledStopPoint:${stop}"/><QuayRef ref="NSR:Quay:${stop}"/></PassengerStopAssignment>`,
          )
          .join('') +
        '</ServiceFrame>',
    );
  const linkCodes = (...of: Parameters<typeof link>) =>
    codesOf(validateCommon(link(...of), { stopRegister: REGISTER }), FAMILY).map((code) =>
      code.replace('DISTANCE_BETWEEN_STOP_POINT_AND_', ''),
    );

  it('are checked in common files, each alone', () => {
    assert.deepEqual(linkCodes('60 5 60.009 5'), []);
    assert.deepEqual(linkCodes('60.009 5 60 5'), [
      'END_OF_LINE_STRING_EXCEEDS_MAX_LIMIT',
      'START_OF_LINE_STRING_EXCEEDS_MAX_LIMIT',
    ]);
    assert.deepEqual(linkCodes('60.0005 5 60.009 5'), ['START_OF_LINE_STRING_EXCEEDS_WARNING_LIMIT']);
  });

  it('may have positions one by one', () => {
    assert.deepEqual(linkCodes('', '<gml:pos>60 5</gml:pos><gml:pos>60.0095 5</gml:pos>'), [
      'END_OF_LINE_STRING_EXCEEDS_WARNING_LIMIT',
    ]);
  });
});
