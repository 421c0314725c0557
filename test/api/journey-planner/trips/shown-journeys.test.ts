/** Tests unusual journeys in trips of the demo region: with booking, with dates, with connections. */
import assert from 'node:assert/strict';
import { formatInstant } from '../../../../api/journey-planner/resolvers/zone-time.ts';
import type { Line, ServiceJourney } from '../../../../planner/model/entities.ts';
import type { InterchangeIndex } from '../../../../planner/model/indices.ts';
import { useDemoPlanner } from '../demo-planner.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
type Data = any;

describe('trips show', () => {
  const demo = useDemoPlanner();

  /** Arguments that find a journey between two of its stops, from a minute before its departure. */
  function argumentsFor({ index, pattern }: ServiceJourney, from: number, to: number, day: number): string {
    const { catalogue, transit } = demo.planner.timetable;
    const { stops } = catalogue.journeyPatterns.at(pattern);
    const [trip] = transit.tripsOfJourney(index);
    assert.ok(trip !== undefined);
    const start = transit.dayStart(transit.routeZone[transit.routeOf(trip)] ?? 0, day as never);
    const time = formatInstant(start + transit.departureAt(trip, from) - 60, 'Europe/Oslo');
    const [a, b] = [stops[from], stops[to]].map((stop) => stop && catalogue.quays.at(stop.stop).id);
    return `from: { place: "${a}" } to: { place: "${b}" } dateTime: "${time}"`;
  }

  function someJourney(line: Line | undefined): { journey: ServiceJourney; day: number } {
    const { catalogue, transit } = demo.planner.timetable;
    for (const index of line ? catalogue.journeysOfLine(line.index) : []) {
      const journey = catalogue.serviceJourneys.at(index);
      const [trip] = transit.tripsOfJourney(index);
      const [day] = trip === undefined ? [] : transit.activeDays(trip);
      if (day !== undefined) return { journey, day };
    }
    throw new Error('No journey of that line runs');
  }

  const ridesOf = (tripPatterns: Data[]) => tripPatterns.flatMap(({ legs }) => legs).filter((leg) => leg.line);

  for (const dialect of ['v2', 'v3'] as const) {
    it(`how to book a line on demand, on ${dialect}`, async () => {
      const { catalogue } = demo.planner.timetable;
      const { journey, day } = someJourney(catalogue.lines.find('DEM:FlexibleLine:180'));
      const last = catalogue.journeyPatterns.at(journey.pattern).stops.length - 1;
      const fields = 'bookingArrangements { bookingMethods bookingContact { phone } } line { id flexibleLineType }';
      const args = `${argumentsFor(journey, 0, last, day)} whiteListed: { lines: ["DEM:FlexibleLine:180"] }`;
      const { trip } = await demo.planner.data(dialect, `{ trip(${args}) { tripPatterns { legs { ${fields} } } } }`);
      const [ride] = ridesOf(trip.tripPatterns);
      assert.equal(ride.line.flexibleLineType, 'fixed');
      assert.ok(ride.bookingArrangements.bookingMethods.length > 0 && ride.bookingArrangements.bookingContact.phone);
    });

    it(`dated journeys, and none on the day one is cancelled, on ${dialect}`, async () => {
      const { catalogue } = demo.planner.timetable;
      let [running, off] = [0, 0];
      for (let at = 0; at < catalogue.datedServiceJourneys.count && (running < 3 || off < 3); at += 1) {
        const dated = catalogue.datedServiceJourneys.at(at as never);
        const isOff = dated.alteration === 'cancellation' || dated.alteration === 'replaced';
        if ((isOff ? off : running) >= 3) continue;
        const journey = catalogue.serviceJourneys.at(dated.journey);
        const last = catalogue.journeyPatterns.at(journey.pattern).stops.length - 1;
        const query = `{ trip(${argumentsFor(journey, 0, last, dated.day)} numTripPatterns: 8) { tripPatterns { legs {
          line { id } serviceJourney { id } datedServiceJourney { id } fromEstimatedCall { date } } } } }`;
        const { trip } = await demo.planner.data(dialect, query);
        const ids = ridesOf(trip.tripPatterns).map(({ datedServiceJourney }: Data) => datedServiceJourney?.id);
        assert.equal(ids.includes(dated.id), !isOff, dated.id);
        if (isOff) off += 1;
        else running += 1;
      }
      assert.ok(running > 0 && off > 0);
    });

    it(`guaranteed connections, on ${dialect}`, async () => {
      const { catalogue, transit } = demo.planner.timetable;
      const to = dialect === 'v2' ? 'ToServiceJourney' : 'toServiceJourney';
      let seen = 0;
      for (let at = 0; at < catalogue.interchanges.count && seen === 0; at += 1) {
        const change = catalogue.interchanges.at(at as InterchangeIndex);
        const [before, after] = [change.fromJourney, change.toJourney].map((index) =>
          catalogue.serviceJourneys.at(index),
        );
        assert.ok(before && after);
        const last = catalogue.journeyPatterns.at(after.pattern).stops.at(-1);
        const [trip] = transit.tripsOfJourney(before.index);
        const [day] = trip === undefined ? [] : transit.activeDays(trip);
        if (day === undefined || !last) continue;
        const places = argumentsFor(before, 0, change.fromPosition, day).replace(
          /to: \{.*?\}/,
          `to: { place: "${catalogue.quays.at(last.stop).id}" }`,
        );
        const lines = [before, after].map(({ line }) => `"${catalogue.lines.at(line).id}"`);
        const query = `{ trip(${places} whiteListed: { lines: [${lines}] } numTripPatterns: 5) { tripPatterns { legs {
          line { id } serviceJourney { id } interchangeTo { guaranteed ${to} { id } } } } } }`;
        const answer = await demo.planner.data(dialect, query);
        for (const ride of ridesOf(answer.trip.tripPatterns)) {
          if (!ride.interchangeTo) continue;
          assert.equal(ride.interchangeTo.guaranteed, true);
          seen += 1;
        }
      }
      assert.ok(seen > 0);
    });
  }

  it('segments of a trip by several places, and refuse invalid ones', async () => {
    const ends = 'from: { place: "NSR:StopPlace:900004" } to: { place: "NSR:StopPlace:900012" } searchWindow: "PT1H"';
    const via =
      'via: [{ place: "NSR:StopPlace:900371" }, { coordinates: { latitude: 64.728, longitude: 11.071 } name: "School" }]';
    const fields =
      'tripPatternsPerSegment { tripPatterns { legs { toPlace { name } } } } tripPatternCombinations { from to } routingErrors { code }';
    const { viaTrip } = await demo.planner.data('v3', `{ viaTrip(${ends} ${via} numTripPatterns: 3) { ${fields} } }`);
    assert.deepEqual([viaTrip.tripPatternsPerSegment.length, viaTrip.tripPatternCombinations.length], [3, 2]);
    for (const { legs } of viaTrip.tripPatternsPerSegment[1].tripPatterns)
      assert.equal(legs.at(-1).toPlace.name, 'School');
    for (const list of viaTrip.tripPatternCombinations) assert.ok(list.length > 0);
    for (const wrong of ['segments: [{}]', 'searchWindow: "PT0S"']) {
      const query = `{ viaTrip(${wrong.startsWith('search') ? ends.replace('searchWindow: "PT1H"', wrong) : `${ends} ${wrong}`} ${via}) { ${fields} } }`;
      const { body } = await demo.planner.sendQuery('v3', query);
      assert.equal(body.errors?.[0]?.extensions?.code, 'BAD_USER_INPUT', wrong);
    }
  });
});
