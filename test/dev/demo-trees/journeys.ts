/** Checks distances, speeds and times of the written data with independent arithmetic. Caller: demo-trees.test.ts. */
import assert from 'node:assert/strict';
import { type Tree, useDemoTrees } from '../../support/demo-dataset.ts';

/** Metres between neighbouring stops and speed in km/h; a validator warns outside these limits. */
const LIMITS: Readonly<Record<string, { least: number; most: number; slowest: number; fastest: number }>> = {
  bus: { least: 100, most: 10_000, slowest: 5, fastest: 70 },
  coach: { least: 500, most: 30_000, slowest: 10, fastest: 80 },
  rail: { least: 1000, most: 300_000, slowest: 10, fastest: 180 },
  tram: { least: 200, most: 1000, slowest: 10, fastest: 50 },
  water: { least: 200, most: 30_000, slowest: 5, fastest: 40 },
};

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly mode: string;
}

interface Network {
  readonly lines: readonly Tree[];
  /** Positions of quays by the id of their stop point. */
  readonly places: ReadonlyMap<string, Place>;
  readonly links: ReadonlyMap<string, Tree>;
}

function metres(a: Place, b: Place): number {
  const radians = Math.PI / 180;
  const x = (b.longitude - a.longitude) * radians * Math.cos(((a.latitude + b.latitude) / 2) * radians);
  return Math.hypot(x, (b.latitude - a.latitude) * radians) * 6_371_000;
}

const seconds = (time: string): number => {
  const [hours = 0, minutes = 0, rest = 0] = time.split(':').map(Number);
  return hours * 3600 + minutes * 60 + rest;
};

function moment(passing: Tree, kind: 'Arrival' | 'Departure'): number | undefined {
  const time = passing.at(`${kind}Time`);
  return time === undefined ? undefined : seconds(time) + Number(passing.at(`${kind}DayOffset`) ?? 0) * 86_400;
}

const stopsOf = (pattern: Tree): Tree[] => [...pattern.all('StopPointInJourneyPattern')];

export function describeJourneys(): void {
  describe('The journeys of the demo region', () => {
    let network: Network;

    before(async () => {
      const { stops, shared, lines } = await useDemoTrees();
      const quays = new Map<string, Place>();
      for (const stopPlace of stops.all('StopPlace')) {
        for (const quay of stopPlace.all('Quay')) {
          const [latitude, longitude] = ['Latitude', 'Longitude'].map((name) =>
            Number(quay.at(`Centroid/Location/${name}`)),
          );
          assert.ok(latitude && longitude, quay.id);
          quays.set(quay.id, { latitude, longitude, mode: stopPlace.at('TransportMode') ?? '' });
        }
      }
      const places = new Map<string, Place>();
      for (const assignment of shared.all('PassengerStopAssignment')) {
        const place = quays.get(assignment.ref('QuayRef') ?? '');
        if (place) places.set(assignment.ref('ScheduledStopPointRef') ?? '', place);
      }
      const links = new Map([...shared.all('ServiceLink')].map((link) => [link.id, link]));
      network = { lines: [...lines.values()], places, links };
    });

    function hops(pattern: Tree): { from: Place; to: Place; names: string }[] {
      const points = stopsOf(pattern).map((stop) => stop.ref('ScheduledStopPointRef') ?? '');
      return points.slice(1).map((to, index) => {
        const from = points[index] ?? '';
        const places = [network.places.get(from), network.places.get(to)];
        assert.ok(places[0] && places[1], `${from} or ${to} has no quay`);
        return { from: places[0], to: places[1], names: `${from} to ${to}` };
      });
    }

    it('call at quays of their mode, at plausible distances', () => {
      for (const tree of network.lines) {
        const line = [...tree.all('Line'), ...tree.all('FlexibleLine')][0];
        const mode = line?.at('TransportMode') ?? '';
        const limits = LIMITS[mode];
        assert.ok(limits, mode);
        for (const pattern of tree.all('JourneyPattern')) {
          for (const { from, to, names } of hops(pattern)) {
            assert.equal(from.mode, mode === 'coach' ? 'bus' : mode, `${pattern.id} at ${names}`);
            const distance = metres(from, to);
            assert.ok(distance > limits.least && distance < limits.most, `${pattern.id}: ${distance} m from ${names}`);
          }
        }
      }
    });

    it('use links that begin and end at their quays', () => {
      for (const tree of network.lines) {
        for (const pattern of tree.all('JourneyPattern')) {
          const links = [...pattern.all('ServiceLinkInJourneyPattern')].map((link) =>
            network.links.get(link.ref('ServiceLinkRef') ?? ''),
          );
          const legs = hops(pattern);
          assert.equal(links.length, legs.length, pattern.id);
          links.forEach((link, index) => {
            const leg = legs[index];
            assert.ok(link && leg, `${pattern.id} link ${index}`);
            assert.equal(`${link.ref('FromPointRef')} to ${link.ref('ToPointRef')}`, leg.names);
            const line = (link.at('projections/LinkSequenceProjection/gml:LineString/gml:posList') ?? '')
              .split(' ')
              .map(Number);
            const end = (at: number): Place => ({
              latitude: line.at(at) ?? 0,
              longitude: line.at(at + 1) ?? 0,
              mode: '',
            });
            assert.ok(metres(end(0), leg.from) < 1 && metres(end(-2), leg.to) < 1, link.id);
            const length = Number(link.at('Distance'));
            assert.ok(length >= metres(leg.from, leg.to) * 0.99 && length < metres(leg.from, leg.to) * 1.3, link.id);
          });
        }
      }
    });

    it('board at the first stop, alight at the last, and have destinations', () => {
      for (const tree of network.lines) {
        const seen = new Set<string>();
        for (const pattern of tree.all('JourneyPattern')) {
          const stops = stopsOf(pattern);
          assert.equal(stops[0]?.at('ForAlighting'), 'false', pattern.id);
          assert.equal(stops.at(-1)?.at('ForBoarding'), 'false', pattern.id);
          assert.ok(stops[0]?.child('DestinationDisplayRef'), pattern.id);
          assert.equal(stops.at(-1)?.child('DestinationDisplayRef'), undefined, pattern.id);
          const sequence = stops.map((stop) => stop.ref('ScheduledStopPointRef')).join();
          assert.ok(!seen.has(sequence), `${pattern.id} repeats another pattern`);
          seen.add(sequence);
        }
      }
    });

    it('have ascending times at plausible speeds of their mode', () => {
      for (const tree of network.lines) {
        const line = [...tree.all('Line'), ...tree.all('FlexibleLine')][0];
        const limits = LIMITS[line?.at('TransportMode') ?? ''];
        const patterns = new Map([...tree.all('JourneyPattern')].map((pattern) => [pattern.id, hops(pattern)]));
        for (const journey of [...tree.all('ServiceJourney'), ...tree.all('DeadRun')]) {
          const legs = patterns.get(journey.ref('JourneyPatternRef') ?? '');
          const passings = [...journey.all('TimetabledPassingTime')];
          assert.ok(legs && limits);
          assert.equal(passings.length, legs.length + 1, journey.id);
          let left = moment(passings[0] as Tree, 'Departure');
          passings.slice(1).forEach((passing, index) => {
            const departure = moment(passing, 'Departure');
            const arrival = moment(passing, 'Arrival') ?? departure;
            const leg = legs[index];
            assert.ok(left !== undefined && arrival !== undefined && leg, journey.id);
            assert.ok(arrival > left, `${journey.id} reaches stop ${index + 2} before it left stop ${index + 1}`);
            const kmh = (metres(leg.from, leg.to) / (arrival - left)) * 3.6;
            assert.ok(kmh > limits.slowest && kmh < limits.fastest, `${journey.id}: ${kmh} km/h to stop ${index + 2}`);
            if (departure !== undefined && passing.at('ArrivalTime')) assert.ok(departure > arrival, journey.id);
            left = departure;
          });
          assert.equal(left, undefined, `${journey.id} leaves its last stop`);
        }
      }
    });

    it('have either day types or dates', () => {
      for (const tree of network.lines) {
        const dated = new Set([...tree.all('DatedServiceJourney')].map((one) => one.ref('ServiceJourneyRef')));
        for (const journey of tree.all('ServiceJourney')) {
          assert.notEqual(journey.child('dayTypes') !== undefined, dated.has(journey.id), journey.id);
        }
      }
    });

    it('have guaranteed interchanges on one day, within reach and in time', () => {
      const journeys = new Map<string, { journey: Tree; stops: Map<string, Tree> }>();
      for (const tree of network.lines) {
        const patterns = new Map([...tree.all('JourneyPattern')].map((pattern) => [pattern.id, stopsOf(pattern)]));
        for (const journey of tree.all('ServiceJourney')) {
          const passings = [...journey.all('TimetabledPassingTime')];
          const stops = patterns.get(journey.ref('JourneyPatternRef') ?? '') ?? [];
          const at = stops.map(
            (stop, index) => [stop.ref('ScheduledStopPointRef') ?? '', passings[index] as Tree] as const,
          );
          journeys.set(journey.id, { journey, stops: new Map(at) });
        }
      }
      const seen = new Set<string>();
      for (const interchange of network.lines.flatMap((tree) => [...tree.all('ServiceJourneyInterchange')])) {
        const [from, to] = ['From', 'To'].map((end) => {
          const known = journeys.get(interchange.ref(`${end}JourneyRef`) ?? '');
          const point = interchange.ref(`${end}PointRef`) ?? '';
          const passing = known?.stops.get(point);
          const place = network.places.get(point);
          assert.ok(known && passing && place, interchange.id);
          return {
            days: known.journey.child('dayTypes')?.ref('DayTypeRef'),
            passing,
            place,
            key: `${known.journey.id} ${point}`,
          };
        });
        assert.ok(from && to);
        assert.equal(from.days, to.days);
        assert.ok(metres(from.place, to.place) < 1000, interchange.id);
        const arrives = moment(from.passing, 'Arrival') ?? moment(from.passing, 'Departure');
        const leaves = moment(to.passing, 'Departure');
        assert.ok(
          arrives !== undefined && leaves !== undefined && leaves > arrives && leaves - arrives < 3600,
          interchange.id,
        );
        assert.equal(interchange.at('Guaranteed'), 'true');
        assert.ok(!seen.has(`${from.key} ${to.key}`), interchange.id);
        seen.add(`${from.key} ${to.key}`);
      }
      assert.ok(seen.size > 100);
    });

    it('follow each other in blocks without overlap, each in one block', () => {
      for (const tree of network.lines) {
        const runs = new Map([...tree.all('ServiceJourney'), ...tree.all('DeadRun')].map((run) => [run.id, run]));
        const used = new Set<string>();
        for (const block of [...tree.all('Block'), ...tree.all('TrainBlock')]) {
          let ended = 0;
          const parts = block.child('journeys')?.children ?? [];
          assert.ok(parts.length > 0, block.id);
          for (const { attributes } of parts) {
            const run = runs.get(attributes.ref ?? '');
            assert.ok(run && !used.has(run.id), `${block.id}: ${attributes.ref}`);
            used.add(run.id);
            assert.equal(run.child('dayTypes')?.ref('DayTypeRef'), block.child('dayTypes')?.ref('DayTypeRef'));
            const passings = [...run.all('TimetabledPassingTime')];
            assert.ok((moment(passings[0] as Tree, 'Departure') ?? 0) > ended, `${block.id}: ${run.id}`);
            ended = moment(passings.at(-1) as Tree, 'Arrival') ?? 0;
          }
        }
      }
    });
  });
}
