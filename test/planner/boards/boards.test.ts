import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BoardRequest, Call } from '../../../planner/boards/board-types.ts';
import type { Timetable } from '../../../planner/index.ts';
import { createNetwork, type Network } from '../support/network.ts';

const STOPS = ['A 59.90 10.70', 'B 59.91 10.72', 'C 59.93 10.75'];

function callsAt(network: Network, stops: string, from: string, more: Partial<BoardRequest> = {}): readonly Call[] {
  return network.open().boards.calls({
    stops: stops.split('').map((stop) => network.stop(stop)),
    from: network.at(from),
    rangeSeconds: 86_400,
    maximumCalls: 20,
    kind: 'departures',
    maximumPerLineAndDestination: undefined,
    accepts: undefined,
    ...more,
  });
}

/** `B 08:12 1-1`: stop, departure (arrival for arrivals) by Oslo's clock, journey. */
function shown(network: Network, calls: readonly Call[], time: 'departure' | 'arrival' = 'departure'): string[] {
  const { catalogue, transit } = network.open();
  return calls.map((call) => {
    const id = catalogue.serviceJourneys.at(transit.tripJourney[call.trip] as never).id;
    return `${network.stopName(call.stop)} ${osloClock(call[time])} ${id.split(':')[2]}`;
  });
}

const OSLO = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Oslo', timeStyle: 'short' });
const osloClock = (instant: number): string => OSLO.format(instant * 1000);

describe('boards', () => {
  it('shows departures in order of time, from the requested time', () => {
    const network = createNetwork()
      .stops(...STOPS)
      .line('1', ['A 08:00 - B 08:10/08:12 - C 08:20', 'A 09:00 - B 09:10/09:12 - C 09:20'])
      .line('2', ['C 08:00 - B 08:12 - A 08:30', 'C 07:40 - B 07:50 - A 08:00']);
    const calls = callsAt(network, 'B', '2026-11-23 08:11');
    assert.deepEqual(shown(network, calls), ['B 08:12 1-1', 'B 08:12 2-1', 'B 09:12 1-2', 'B 07:50 2-2']);
    assert.equal(calls[0]?.arrival, network.at('2026-11-23 08:10'));
    assert.equal(calls[0]?.departure, network.at('2026-11-23 08:12'));
    assert.equal(calls[0]?.position, 1);
    assert.deepEqual(shown(network, callsAt(network, 'B', '2026-11-23 08:11', { rangeSeconds: 3600 })), [
      'B 08:12 1-1',
      'B 08:12 2-1',
    ]);
    assert.deepEqual(shown(network, callsAt(network, 'AB', '2026-11-23 08:00', { maximumCalls: 2 })), [
      'A 08:00 1-1',
      'B 08:12 1-1',
    ]);
  });

  it('leaves out calls that end there, calls without boarding and passes', () => {
    const network = createNetwork()
      .stops(...STOPS)
      .line('1', ['A 08:00 - B~ 08:10 - C 08:20', 'A 08:30 - B+ 08:40 - C 08:50', 'A 09:00 - B! 09:10 - C 09:20']);
    const day = '2026-11-23 00:00';
    assert.deepEqual(shown(network, callsAt(network, 'B', day)), ['B 08:40 1-2']);
    assert.deepEqual(shown(network, callsAt(network, 'B', day, { kind: 'arrivals' })), ['B 08:10 1-1']);
    assert.deepEqual(shown(network, callsAt(network, 'B', day, { kind: 'both' })), ['B 08:10 1-1', 'B 08:40 1-2']);
    assert.deepEqual(shown(network, callsAt(network, 'C', day)), []);
    assert.deepEqual(shown(network, callsAt(network, 'A', day, { kind: 'arrivals' })), []);
  });

  it('orders arrivals by arrival, for any dwell time', () => {
    const network = createNetwork()
      .stops(...STOPS)
      .line('1', ['A 08:00 - B 08:10/09:30 - C 10:00'])
      .line('2', ['A 08:10 - B 08:20 - C 08:40', 'A 08:55 - B 09:05 - C 09:20']);
    const request = { kind: 'arrivals' } as const;
    assert.deepEqual(shown(network, callsAt(network, 'B', '2026-11-23 08:05', request), 'arrival'), [
      'B 08:10 1-1',
      'B 08:20 2-1',
      'B 09:05 2-2',
    ]);
    assert.deepEqual(
      shown(network, callsAt(network, 'B', '2026-11-23 08:15', { ...request, maximumCalls: 1 }), 'arrival'),
      ['B 08:20 2-1'],
    );
  });

  it('shows journeys of the service day before after midnight', () => {
    const network = createNetwork({ from: '2026-11-23', to: '2026-11-24' })
      .stops(...STOPS)
      .line('1', ['A 23:50 - B 24:10 - C 24:30', 'A 47:50 - B 48:10 - C 48:30'])
      .line('2', ['A 00:05 - B 00:20 - C 00:30']);
    const calls = callsAt(network, 'B', '2026-11-24 00:00', { rangeSeconds: 3600 });
    assert.deepEqual(shown(network, calls), ['B 00:10 1-1', 'B 00:20 2-1']);
    assert.deepEqual(
      calls.map((call) => call.day - (calls[1]?.day ?? 0)),
      [-1, 0],
    );
    assert.deepEqual(
      shown(network, callsAt(network, 'B', '2026-11-25 00:00', { rangeSeconds: 3600 })),
      ['B 00:10 1-2', 'B 00:10 1-1'].sort(),
    );
  });

  it('shows the right clock times on the day of a clock change', () => {
    for (const [day, before, hoursApart] of [
      ['2026-10-25', '2026-10-24', 25],
      ['2027-03-28', '2027-03-27', 23],
    ] as const) {
      const network = createNetwork({ from: before, to: day })
        .stops(...STOPS)
        .line('1', ['A 11:50 - B 12:00 - C 12:10', 'A 24:50 - B 25:00 - C 25:10']);
      const calls = callsAt(network, 'B', `${before} 12:00`, { rangeSeconds: 30 * 3600 });
      assert.deepEqual(shown(network, calls.slice(0, 1)), ['B 12:00 1-1']);
      const [noon, noonAfter] = calls.filter((call) => osloClock(call.departure) === '12:00');
      assert.equal((noonAfter?.departure ?? 0) - (noon?.departure ?? 0), hoursApart * 3600);
      const night = calls.find((call) => call.day === noon?.day && call !== noon);
      assert.equal((night?.departure ?? 0) - (noon?.departure ?? 0), 13 * 3600, '25:00 is 13 hours after noon');
    }
  });

  it('shows only the days on which a journey runs, and also journeys excluded from search', () => {
    const network = createNetwork()
      .stops(...STOPS)
      .line('1', ['A 08:00 - B 08:10'], { days: ['2026-11-25'] })
      .line('2', ['A 09:00 - B 09:10'], { journey: { searchable: false } });
    assert.deepEqual(shown(network, callsAt(network, 'A', '2026-11-24 00:00')), ['A 09:00 2-1']);
    assert.deepEqual(shown(network, callsAt(network, 'A', '2026-11-25 00:00')), ['A 08:00 1-1', 'A 09:00 2-1']);
    assert.deepEqual(callsAt(network, 'A', '2027-11-25 00:00'), []);
  });

  it('limits calls per line and destination, and shows only accepted calls', () => {
    const network = createNetwork()
      .stops(...STOPS)
      .line('1', ['A 08:00 - C 08:20', 'A 08:05 - C 08:25', 'A 08:10 - B 08:20', 'A 08:15 - C 08:35'])
      .line('2', ['A 08:20 - C 08:40']);
    const start = '2026-11-23 08:00';
    const limited = { maximumPerLineAndDestination: 1, rangeSeconds: 7200 };
    assert.deepEqual(shown(network, callsAt(network, 'A', start, limited)), [
      'A 08:00 1-1',
      'A 08:10 1-3',
      'A 08:20 2-1',
    ]);
    const line = network.lineIndex('2');
    const accepts = (_trip: number, of: number): boolean => of === line;
    assert.deepEqual(shown(network, callsAt(network, 'A', start, { accepts, rangeSeconds: 7200 })), ['A 08:20 2-1']);
    assert.deepEqual(callsAt(network, 'A', start, { maximumCalls: 0 }), []);
  });

  it('uses the clock of each time zone', () => {
    const network = createNetwork()
      .stops(...STOPS)
      .authority('HEL', 'Europe/Helsinki');
    network.line('1', ['A 08:00 - B 08:10'], { days: ['2026-11-23'] });
    network.line('2', ['A 08:30 - B 08:40'], { days: ['2026-11-23'], line: { authorityId: 'TST:Authority:HEL' } });
    assert.deepEqual(shown(network, callsAt(network, 'A', '2026-11-23 07:00')), ['A 07:30 2-1', 'A 08:00 1-1']);
  });

  it('equals a board made from every call of every trip', () => {
    for (let seed = 1; seed <= 30; seed++) compareWithAll(seed);
  });
});

function compareWithAll(seed: number): void {
  let state = seed;
  const random = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % most;
  };
  const network = createNetwork({ from: '2026-10-23', to: '2026-10-27' })
    .stops(...STOPS)
    .authority('HEL', 'Europe/Helsinki');
  const clock = (minutes: number): string => `${Math.floor(minutes / 60)}:${minutes % 60}`;
  for (let line = 0; line < 6; line++) {
    const journeys = Array.from({ length: 5 }, () => {
      let minutes = random(2500);
      const order = ['ABC', 'CBA', 'ABA', 'BC'][random(4)] ?? '';
      const call = (stop: string): string => {
        minutes += random(10);
        const arrival = clock(minutes);
        minutes += random(4) === 0 ? random(200) : 0;
        return `${stop}${['', '', '+', '~'][random(4)]} ${arrival}/${clock(minutes)}`;
      };
      return order.split('').map(call).join(' - ');
    });
    const days = ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26'].filter(() => random(2) === 0);
    const authorityId = `TST:Authority:${random(3) === 0 ? 'HEL' : 'TST'}`;
    network.line(String(line), journeys, { line: { authorityId }, days: ['2026-10-27', ...days].sort() });
  }
  for (const kind of ['departures', 'arrivals', 'both'] as const) {
    const request: BoardRequest = {
      stops: (random(2) === 0 ? ['B'] : ['A', 'B', 'C']).map((stop) => network.stop(stop)),
      from: network.at('2026-10-24 00:00') + random(2 * 86_400),
      rangeSeconds: random(random(2) === 0 ? 100_000 : 1_000_000),
      maximumCalls: 1 + random(30),
      kind,
      maximumPerLineAndDestination: undefined,
      accepts: undefined,
    };
    const time = kind === 'arrivals' ? 'arrival' : 'departure';
    const calls = network.open().boards.calls(request);
    const expected = everyCall(network.open(), request, time).slice(0, request.maximumCalls);
    assert.deepEqual(calls, expected, `seed ${seed}, ${kind}`);
  }
}

function everyCall({ transit }: Timetable, request: BoardRequest, time: 'arrival' | 'departure'): Call[] {
  const calls: Call[] = [];
  for (let trip = 0; trip < transit.tripCount; trip++) {
    const route = transit.routeOf(trip as never);
    const first = transit.routeStopsStart[route] ?? 0;
    const last = (transit.routeStopsStart[route + 1] ?? 0) - 1 - first;
    for (const day of transit.activeDays(trip as never)) {
      const start = transit.runStart(trip as never, day);
      for (let position = 0; position <= last; position++) {
        const flags = transit.routeStopFlags[first + position] ?? 0;
        const isDeparture = (flags & 1) !== 0 && position < last;
        const isArrival = (flags & 2) !== 0 && position > 0;
        const arrival = start + transit.arrivalAt(trip as never, position);
        const departure = start + transit.departureAt(trip as never, position);
        const call = { trip, day, position, stop: transit.stopAt(route, position), arrival, departure } as Call;
        const isOfKind = { departures: isDeparture, arrivals: isArrival, both: isDeparture || isArrival }[request.kind];
        const isInTime = call[time] >= request.from && call[time] < request.from + request.rangeSeconds;
        if (isOfKind && isInTime && request.stops.includes(call.stop)) calls.push(call);
      }
    }
  }
  const order = (one: Call, other: Call): number =>
    one[time] - other[time] || one.trip - other.trip || one.day - other.day || one.position - other.position;
  return calls.sort(order);
}
