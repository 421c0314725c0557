/** Lines, journeys and modes that a request allows, and rides that can no longer be booked. */
import assert from 'node:assert/strict';
import type { BookingArrangement } from '../../../planner/model/entities.ts';
import { FilterMaskCache } from '../../../planner/trip/filter-masks.ts';
import type { TripFilter, TripRequest } from '../../../planner/trip/trip-types.ts';
import { createNetwork } from '../support/network.ts';
import { plan, routes, select } from './plan.ts';

/** Later departures arrive later, so no journey is better than another. */
function choices() {
  const network = createNetwork().authority('Other', 'Europe/Oslo');
  network.builder.addGroupOfLines({ id: 'TST:GroupOfLines:G' });
  network.stops('A 59.9 10.7', 'Z 60.2 10.7');
  network.line('bus', ['A 08:00 - Z 08:30', 'A 08:10 - Z 08:40'], { line: { submode: 'localBus' } });
  network.line('tram', ['A 08:20 - Z 08:50'], { line: { mode: 'tram', groupIds: ['TST:GroupOfLines:G'] } });
  network.line('rail', ['A 08:30 - Z 09:00'], { line: { mode: 'rail', authorityId: 'TST:Authority:Other' } });
  network.line('night', ['A 08:40 - Z 09:10'], { line: { submode: 'nightBus' } });
  return network;
}

const ALL = ['bus-1', 'bus-2', 'tram-1', 'rail-1', 'night-1'];

function allowed(filters: readonly TripFilter[], more: Partial<TripRequest> = {}): string[] {
  const network = choices();
  return routes(network, plan(network, 'A', 'Z', '2026-11-23 07:55', { filters, ...more }));
}

describe('trip filters', () => {
  it('select and ban lines, authorities, groups and journeys', () => {
    const [bus, rail] = [select({ lines: ['TST:Line:bus'] }), select({ authorities: ['TST:Authority:Other'] })];
    assert.deepEqual(allowed([]), ALL);
    assert.deepEqual(allowed([{ select: [bus], not: [] }]), ['bus-1', 'bus-2']);
    assert.deepEqual(allowed([{ select: [bus, rail], not: [] }]), ['bus-1', 'bus-2', 'rail-1']);
    assert.deepEqual(allowed([{ select: [], not: [bus, rail] }]), ['tram-1', 'night-1']);
    assert.deepEqual(allowed([{ select: [select({ groupsOfLines: ['TST:GroupOfLines:G'] })], not: [] }]), ['tram-1']);
    const journey = select({ serviceJourneys: ['TST:ServiceJourney:bus-1', 'TST:ServiceJourney:gone'] });
    assert.deepEqual(allowed([{ select: [], not: [journey] }]), ALL.slice(1));
    assert.deepEqual(allowed([{ select: [journey, rail], not: [] }]), ['bus-1', 'rail-1']);
    assert.deepEqual(allowed([{ select: [bus], not: [journey] }]), ['bus-2']);
  });

  it('select modes and submodes', () => {
    const modes = (...list: NonNullable<ReturnType<typeof select>['modes']>) => select({ modes: list });
    assert.deepEqual(allowed([{ select: [modes({ mode: 'rail', submodes: undefined })], not: [] }]), ['rail-1']);
    assert.deepEqual(allowed([{ select: [modes({ mode: 'bus', submodes: ['nightBus'] })], not: [] }]), ['night-1']);
    assert.deepEqual(allowed([{ select: [], not: [modes({ mode: undefined, submodes: ['localBus'] })] }]), [
      'tram-1',
      'rail-1',
      'night-1',
    ]);
  });

  it('require all members of a select, and one filter of several', () => {
    const both = select({ lines: ['TST:Line:bus', 'TST:Line:rail'], modes: [{ mode: 'rail', submodes: [] }] });
    assert.deepEqual(allowed([{ select: [both], not: [] }]), ['rail-1']);
    const [noBus, tramOnly] = [
      {
        select: [select({ lines: ['TST:Line:bus'] })],
        not: [select({ serviceJourneys: ['TST:ServiceJourney:bus-2'] })],
      },
      { select: [select({ modes: [{ mode: 'tram', submodes: undefined }] })], not: [] },
    ];
    assert.deepEqual(allowed([noBus, tramOnly]), ['bus-1', 'tram-1']);
  });

  it('match nothing with an empty list or unknown ids, and allow all with an empty filter', () => {
    assert.deepEqual(allowed([{ select: [select({ lines: [] })], not: [] }]), []);
    assert.deepEqual(allowed([{ select: [select({ lines: ['TST:Line:gone'] })], not: [] }]), []);
    assert.deepEqual(allowed([{ select: [], not: [select({ lines: [] })] }]), ALL);
    assert.deepEqual(allowed([{ select: [], not: [] }]), ALL);
  });

  it('have their masks kept for the next request', () => {
    const cache = new FilterMaskCache(choices().open());
    const line = (name: string): TripFilter[] => [{ select: [select({ lines: [`TST:Line:${name}`] })], not: [] }];
    const first = cache.of(line('bus'));
    assert.equal(cache.of(line('bus')).routes, first.routes);
    for (let other = 0; other < 100; other += 1) cache.of(line(`other-${other}`));
    assert.notEqual(cache.of(line('bus')).routes, first.routes);
    assert.deepEqual(cache.of(line('bus')).routes, first.routes);
  });
});

describe('booking of rides', () => {
  const nothing = { methods: [], bookWhen: undefined, latestBookingTime: undefined, minimumBookingPeriod: undefined };
  const arrangement = (more: Partial<BookingArrangement>): BookingArrangement => ({
    ...nothing,
    note: undefined,
    contact: undefined,
    ...more,
  });
  const ridden = (booking: Partial<BookingArrangement>, bookedAt: string): string[] => {
    const network = createNetwork();
    network.stops('A 59.9 10.7', 'Z 60.2 10.7');
    const line = { flexibleLineType: 'fixed', booking: arrangement(booking) };
    network.line('flex', ['A 08:00 - Z 08:30', 'A 09:00 - Z 09:30'], { line });
    network.line('bus', ['A 10:00 - Z 10:40']);
    const bookingTime = network.at(bookedAt);
    return routes(network, plan(network, 'A', 'Z', '2026-11-24 07:55', { count: 2, bookingTime }));
  };

  it('excludes rides whose minimum booking period has passed', () => {
    assert.deepEqual(ridden({ minimumBookingPeriod: 'PT1H30M' }, '2026-11-24 06:30'), ['flex-1', 'flex-2']);
    assert.deepEqual(ridden({ minimumBookingPeriod: 'PT1H30M' }, '2026-11-24 06:31'), ['flex-2', 'bus-1']);
  });

  it('excludes rides whose latest booking time has passed, on the day before if required', () => {
    assert.deepEqual(ridden({ latestBookingTime: '06:00:00' }, '2026-11-24 06:00'), ['flex-1', 'flex-2']);
    assert.deepEqual(ridden({ latestBookingTime: '06:00:00' }, '2026-11-24 06:01').slice(0, 1), ['bus-1']);
    const dayBefore = { latestBookingTime: '16:00:00', bookWhen: 'untilPreviousDay' };
    assert.deepEqual(ridden(dayBefore, '2026-11-23 16:00'), ['flex-1', 'flex-2']);
    assert.deepEqual(ridden(dayBefore, '2026-11-23 16:01').slice(0, 1), ['bus-1']);
  });

  it('ends by the clock when the clock changes in the night after it', () => {
    const network = createNetwork({ from: '2026-10-25', to: '2026-10-25' }).stops('A 59.9 10.7', 'Z 60.2 10.7');
    const booking = arrangement({ latestBookingTime: '20:00:00', bookWhen: 'untilPreviousDay' });
    network.line('flex', ['A 08:00 - Z 08:30'], { line: { flexibleLineType: 'fixed', booking } });
    const booked = (bookingTime: number): string[] =>
      routes(network, plan(network, 'A', 'Z', '2026-10-25 07:55', { bookingTime }));
    // Still summer time.
    const eight = Date.parse('2026-10-24T20:00:00+02:00') / 1000;
    assert.deepEqual([booked(eight), booked(eight + 1)], [['flex-1'], []]);
  });

  it('excludes a run alone, not the runs of other days', () => {
    const network = createNetwork().stops('A 59.9 10.7', 'B 60.1 10.7', 'Z 60.3 10.7');
    const booking = arrangement({ latestBookingTime: '16:00:00', bookWhen: 'untilPreviousDay' });
    network.line('flex', ['B 08:00 - Z 08:30'], { line: { flexibleLineType: 'fixed', booking } });
    network.line('bus', ['A 07:40 - B 07:50', 'A 20:00 - B 20:10']);
    const bookedAt = (time: string): string[] =>
      routes(network, plan(network, 'A', 'Z', '2026-11-24 07:30', { bookingTime: network.at(time) }));
    // The evening's bus has the next day's bus to the same ride to beat it.
    assert.deepEqual(bookedAt('2026-11-23 16:00'), ['bus-1 flex-1']);
    assert.deepEqual(bookedAt('2026-11-24 07:00'), ['bus-2 flex-1']);
  });

  it('hides no slower ride for arrive by, however long before the time the run is', () => {
    const network = createNetwork().stops('A 59.9 10.7', 'Z 60.3 10.7');
    const booking = arrangement({ minimumBookingPeriod: 'PT2H' });
    network.line('flex', ['A 08:00 - Z 08:30'], { line: { flexibleLineType: 'fixed', booking } });
    network.line('bus', ['A 07:50 - Z 09:00']);
    const bookingTime = network.at('2026-11-24 07:00');
    const answer = plan(network, 'A', 'Z', '2026-11-24 21:00', { arriveBy: true, count: 1, bookingTime });
    assert.deepEqual(routes(network, answer), ['bus-1']);
  });

  it('is ignored for a request without booking time, and for lines without a deadline', () => {
    assert.deepEqual(ridden({ methods: ['online'] }, '2026-11-24 07:59'), ['flex-1', 'flex-2']);
  });
});
