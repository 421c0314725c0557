/**
 * Finds where the stops of a pattern lie on its shape, as places (a segment's number and the fraction along it) that
 * never decrease. Uses the distances that the feed gives to both. Without them, places the stops in order so that the
 * sum of squared distances is least. This also works on loops and on streets driven in both directions. Caller:
 * link-maker.ts.
 */
import { type Polyline, placeOf } from './polyline.ts';

export interface StopOnWay {
  readonly latitude: number;
  readonly longitude: number;
  /** NaN when absent. */
  readonly travelled: number;
}

export interface StopPlaces {
  readonly places: readonly number[];
  /** Root mean square distance; 0 when the feed's distances were used. */
  readonly metresOff: number;
}

/** Needs a shape of two points or more. */
export function locateStops(line: Polyline, stops: readonly StopOnWay[]): StopPlaces {
  const places = locateByDistance(line, stops);
  return places ? { places, metresOff: 0 } : locateByNearness(line, stops);
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

/**
 * Computes the least sum of squares by the segment that the stop lies in. From one stop to the next, segments never
 * decrease.
 */
function locateByNearness(line: Polyline, stops: readonly StopOnWay[]): StopPlaces {
  const segments = line.x.length - 1;
  let costs = new Float64Array(segments);
  const rows = stops.map((stop) => {
    const row = { parts: new Float64Array(segments), before: new Int32Array(segments) };
    const next = new Float64Array(segments);
    const { x, y } = placeOf(line, stop.latitude, stop.longitude);
    let best = 0;
    for (let segment = 0; segment < segments; segment++) {
      if ((costs[segment] as number) < (costs[best] as number)) best = segment;
      const part = nearestPart(line, segment, x, y);
      row.parts[segment] = part;
      row.before[segment] = best;
      next[segment] = (costs[best] as number) + squareMetres(line, segment, part, x, y);
    }
    costs = next;
    return row;
  });
  let segment = costs.reduce((best, cost, index) => (cost < (costs[best] as number) ? index : best), 0);
  const metresOff = Math.sqrt((costs[segment] ?? 0) / stops.length);
  const places: number[] = [];
  for (const { parts, before } of rows.toReversed()) {
    places.push(segment + (parts[segment] as number));
    segment = before[segment] as number;
  }
  places.reverse();
  // Within one segment the nearest points may lie in the other order: the stops then share a place.
  for (let index = 1; index < places.length; index++) {
    places[index] = Math.max(places[index] as number, places[index - 1] as number);
  }
  return { places, metresOff };
}

function nearestPart(line: Polyline, segment: number, x: number, y: number): number {
  const [fromX, fromY] = [line.x[segment] as number, line.y[segment] as number];
  const alongX = (line.x[segment + 1] as number) - fromX;
  const alongY = (line.y[segment + 1] as number) - fromY;
  const square = alongX * alongX + alongY * alongY;
  return square === 0 ? 0 : Math.min(Math.max(((x - fromX) * alongX + (y - fromY) * alongY) / square, 0), 1);
}

function squareMetres(line: Polyline, segment: number, part: number, x: number, y: number): number {
  const fromX = line.x[segment] as number;
  const fromY = line.y[segment] as number;
  const offX = fromX + ((line.x[segment + 1] as number) - fromX) * part - x;
  const offY = fromY + ((line.y[segment + 1] as number) - fromY) * part - y;
  return offX * offX + offY * offY;
}
