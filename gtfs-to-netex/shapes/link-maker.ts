/**
 * Cuts the path from each stop of a pattern to the next out of its shape. Paths of one line with the same geometry
 * become one link. A link begins and ends at its stops; where the shape is too far away, it is a straight line.
 * Caller: the XML of a line.
 */
import { distanceMetres } from '../../netex/geo/distance.ts';
import type { ChangeLog } from '../feed/change-log.ts';
import type { Feed } from '../feed/feed.ts';
import { type StopPositions, toSixDecimals } from '../timetable/stop-positions.ts';
import type { Pattern, Timetable } from '../timetable/timetable.ts';
import { locateStops } from './locate-stops.ts';
import { makePolyline, type Polyline, positionAt, reversePolyline } from './polyline.ts';
import { type LinePoint, simplify } from './simplify.ts';

export interface Link {
  /** Numbered from 1 within the line. */
  readonly number: number;
  readonly fromStop: number;
  readonly toStop: number;
  readonly points: readonly LinePoint[];
  readonly metres: number;
}

const TOLERANCE_METRES = 5;
/** Closer than this, the shape's end is used in place of the stop's position. */
const AT_STOP_METRES = 15;
/** Farther than this from its stop, the shape does not belong to the journey. */
const NOT_AT_STOP_METRES = 250;
/** With a larger mean distance, the shape may run in the other direction. */
const WRONG_WAY_METRES = 100;

export class LinkMaker {
  readonly #feed: Feed;
  readonly #positions: StopPositions;
  readonly #changes: ChangeLog;
  readonly #links = new Map<string, Link>();
  readonly #shapes = new Map<number, Polyline>();

  constructor({ feed, positions }: Timetable, changes: ChangeLog) {
    this.#feed = feed;
    this.#positions = positions;
    this.#changes = changes;
  }

  get links(): Iterable<Link> {
    return this.#links.values();
  }

  /** One link for each hop between stops; none without a shape. */
  linksOf(pattern: Pattern): Link[] {
    const drawn = this.#shapeOf(pattern.shape);
    if (!drawn) return [];
    const { shape, places } = this.#lay(drawn, pattern);
    return Array.from({ length: pattern.stops.length - 1 }, (_, hop) => {
      const [from, to] = [pattern.stops[hop] as number, pattern.stops[hop + 1] as number];
      const cut = this.#cut(shape, [from, to], [places[hop] as number, places[hop + 1] as number]);
      if (!cut) this.#changes.note('ways between stops drawn straight: the shape does not pass both', this.#name(from));
      return this.#link(from, to, cut ?? [this.#position(from), this.#position(to)]);
    });
  }

  /** Some feeds use one shape for both directions. */
  #lay(drawn: Polyline, pattern: Pattern): { shape: Polyline; places: readonly number[] } {
    const stops = this.#stopsOf(pattern);
    const { places, metresOff } = locateStops(drawn, stops);
    if (metresOff < WRONG_WAY_METRES) return { shape: drawn, places };
    const backwards = reversePolyline(drawn);
    const other = locateStops(backwards, stops);
    if (other.metresOff > metresOff / 2) return { shape: drawn, places };
    this.#changes.note(
      'patterns drawn by a shape in the opposite direction: reversed',
      this.#name(pattern.stops[0] as number),
    );
    return { shape: backwards, places: other.places };
  }

  #name(stop: number): string {
    return this.#feed.stops[stop]?.id ?? '';
  }

  #position(stop: number): LinePoint {
    return [this.#positions.latitude[stop] ?? Number.NaN, this.#positions.longitude[stop] ?? Number.NaN];
  }

  #shapeOf(number: number): Polyline | undefined {
    const known = this.#shapes.get(number);
    if (known || number === -1) return known;
    const { first, latitude, longitude, distance } = this.#feed.shapes;
    const [from, to] = [first[number] as number, first[number + 1] as number];
    if (to - from < 2) return undefined;
    const shape = makePolyline(latitude.slice(from, to), longitude.slice(from, to), distance.slice(from, to));
    this.#shapes.set(number, shape);
    return shape;
  }

  #stopsOf(pattern: Pattern): { latitude: number; longitude: number; travelled: number }[] {
    const { first, shapeDistance } = this.#feed.calls;
    const from = first[pattern.shapeTrip] as number;
    return Array.from(pattern.stops, (stop, index) => {
      const [latitude, longitude] = this.#position(stop);
      return { latitude, longitude, travelled: shapeDistance?.[from + index] ?? Number.NaN };
    });
  }

  /** Undefined when the shape passes too far from a stop. */
  #cut(
    shape: Polyline,
    [from, to]: readonly [number, number],
    [begin, end]: readonly [number, number],
  ): LinePoint[] | undefined {
    const points: LinePoint[] = [positionAt(shape, begin)];
    for (let point = Math.floor(begin) + 1; point < end; point++) {
      points.push([shape.latitude[point] as number, shape.longitude[point] as number]);
    }
    points.push(positionAt(shape, end));
    const [start, stop] = [this.#position(from), this.#position(to)];
    const [gap, lastGap] = [metresBetween(start, points[0]), metresBetween(stop, points.at(-1))];
    if (!(gap <= NOT_AT_STOP_METRES && lastGap <= NOT_AT_STOP_METRES)) return undefined;
    if (gap > AT_STOP_METRES || points.length < 2) points.unshift(start);
    if (lastGap > AT_STOP_METRES) points.push(stop);
    return simplify(points, TOLERANCE_METRES);
  }

  #link(fromStop: number, toStop: number, drawn: readonly LinePoint[]): Link {
    const points = drawn.map(([latitude, longitude]) => [toSixDecimals(latitude), toSixDecimals(longitude)] as const);
    const key = `${fromStop} ${toStop} ${points.join(' ')}`;
    const known = this.#links.get(key);
    if (known) return known;
    const metres = points
      .slice(1)
      .reduce((sum, point, index) => sum + metresBetween(points[index] as LinePoint, point), 0);
    const link = { number: this.#links.size + 1, fromStop, toStop, points, metres: Math.round(metres) };
    this.#links.set(key, link);
    return link;
  }
}

function metresBetween(a: LinePoint, b: LinePoint | undefined): number {
  return b ? distanceMetres(a[0], a[1], b[0], b[1]) : Number.NaN;
}
