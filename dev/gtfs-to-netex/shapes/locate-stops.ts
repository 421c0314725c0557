/**
 * Where the stops of a pattern lie on its shape, as places (a segment's number and how far in it) that never go back. By the
 * distances that the feed gives to both, else by nearness: of all ways to lay the stops along the shape in their order, the one
 * nearest to them in sum. That holds on loops and on streets driven both ways. Caller: link-maker.ts.
 */
import { type Polyline, placeOf } from './polyline.ts';

export interface StopOnWay {
  readonly latitude: number;
  readonly longitude: number;
  /** NaN where the feed does not say. */
  readonly travelled: number;
}

/** Undefined when they cannot be laid. */
export function locateStops(line: Polyline, stops: readonly StopOnWay[]): number[] | undefined {
  if (line.latitude.length < 2) return undefined;
  return locateByDistance(line, stops) ?? locateByNearness(line, stops);
}

function locateByDistance({ travelled }: Polyline, stops: readonly StopOnWay[]): number[] | undefined {
  const last = travelled.length - 1;
  for (let point = 0; point <= last; point++) {
    if (Number.isNaN(travelled[point])) return undefined;
    if (point > 0 && (travelled[point] as number) < (travelled[point - 1] as number)) return undefined;
  }
  const places: number[] = [];
  let segment = 0;
  for (const { travelled: distance } of stops) {
    if (Number.isNaN(distance)) return undefined;
    while (segment < last - 1 && (travelled[segment + 1] as number) <= distance) segment++;
    const length = (travelled[segment + 1] as number) - (travelled[segment] as number);
    const part = length > 0 ? (distance - (travelled[segment] as number)) / length : 0;
    const place = segment + Math.min(Math.max(part, 0), 1);
    if (place < (places.at(-1) ?? 0)) return undefined;
    places.push(place);
  }
  return places;
}

/** For each stop the points of the shape that are nearer than their surroundings. */
interface Candidate {
  readonly place: number;
  readonly squareMetres: number;
  /** Of the best way of all stops so far that ends here, and the candidate before on it. */
  cost: number;
  before: number;
}

function locateByNearness(line: Polyline, stops: readonly StopOnWay[]): number[] | undefined {
  const rows: Candidate[][] = [];
  for (const stop of stops) {
    const row = candidatesOf(line, stop);
    const previous = rows.at(-1);
    if (previous && !joinTo(previous, row)) return undefined;
    rows.push(row);
  }
  return traceBack(rows);
}

/** Both rows go forward along the shape. Candidates that no way leads to cost infinitely much. */
function joinTo(previous: readonly Candidate[], row: readonly Candidate[]): boolean {
  let best = -1;
  let at = 0;
  let isReached = false;
  for (const candidate of row) {
    for (; at < previous.length && (previous[at]?.place ?? 0) <= candidate.place; at++) {
      if (best === -1 || (previous[at]?.cost ?? 0) < (previous[best]?.cost ?? 0)) best = at;
    }
    const cost = previous[best]?.cost ?? Number.POSITIVE_INFINITY;
    candidate.cost = cost + candidate.squareMetres;
    candidate.before = best;
    isReached ||= candidate.cost < Number.POSITIVE_INFINITY;
  }
  return isReached;
}

function traceBack(rows: readonly (readonly Candidate[])[]): number[] | undefined {
  const last = rows.at(-1) ?? [];
  let at = last.reduce((best, { cost }, index) => (cost < (last[best]?.cost ?? cost) ? index : best), 0);
  const places: number[] = [];
  for (const row of rows.toReversed()) {
    const candidate = row[at];
    if (!candidate) return undefined;
    places.push(candidate.place);
    at = candidate.before;
  }
  return places.reverse();
}

function candidatesOf(line: Polyline, stop: StopOnWay): Candidate[] {
  const { x, y } = placeOf(line, stop.latitude, stop.longitude);
  const nearest: { place: number; squareMetres: number }[] = [];
  for (let segment = 0; segment < line.x.length - 1; segment++) nearest.push(nearestIn(line, segment, x, y));
  const isNearer = (index: number): boolean => {
    const here = nearest[index]?.squareMetres ?? 0;
    const before = nearest[index - 1]?.squareMetres ?? Number.POSITIVE_INFINITY;
    return here <= before && here <= (nearest[index + 1]?.squareMetres ?? Number.POSITIVE_INFINITY);
  };
  return nearest
    .filter((_, index) => isNearer(index))
    .map(({ place, squareMetres }) => ({ place, squareMetres, cost: squareMetres, before: -1 }));
}

function nearestIn(line: Polyline, segment: number, x: number, y: number): { place: number; squareMetres: number } {
  const [fromX, fromY] = [line.x[segment] as number, line.y[segment] as number];
  const [alongX, alongY] = [(line.x[segment + 1] as number) - fromX, (line.y[segment + 1] as number) - fromY];
  const square = alongX * alongX + alongY * alongY;
  const part = square === 0 ? 0 : Math.min(Math.max(((x - fromX) * alongX + (y - fromY) * alongY) / square, 0), 1);
  const [offX, offY] = [fromX + alongX * part - x, fromY + alongY * part - y];
  return { place: segment + part, squareMetres: offX * offX + offY * offY };
}
