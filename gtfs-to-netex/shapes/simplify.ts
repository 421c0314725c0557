/** Removes points of a line that hardly bend it (Douglas and Peucker). Caller: link-maker.ts. */
const METRES_PER_DEGREE = 111_195;

export type LinePoint = readonly [latitude: number, longitude: number];

/** No removed point is farther than `metres` from the line that remains. The ends stay. */
export function simplify(points: readonly LinePoint[], metres: number): LinePoint[] {
  const keep = new Uint8Array(points.length);
  keep[0] = 1;
  keep[points.length - 1] = 1;
  const open: [number, number][] = [[0, points.length - 1]];
  for (let run = open.pop(); run; run = open.pop()) {
    const [from, to] = run;
    const { index, distance } = farthest(points, from, to);
    if (distance <= metres) continue;
    keep[index] = 1;
    open.push([from, index], [index, to]);
  }
  return points.filter((_, index) => keep[index] === 1);
}

function farthest(points: readonly LinePoint[], from: number, to: number): { index: number; distance: number } {
  const [start, end] = [points[from] as LinePoint, points[to] as LinePoint];
  const scale = Math.cos((start[0] * Math.PI) / 180);
  const [endX, endY] = [(end[1] - start[1]) * scale, end[0] - start[0]];
  const square = endX * endX + endY * endY;
  let found = { index: -1, distance: 0 };
  for (let index = from + 1; index < to; index++) {
    const [latitude, longitude] = points[index] as LinePoint;
    const [x, y] = [(longitude - start[1]) * scale, latitude - start[0]];
    const part = square === 0 ? 0 : Math.min(Math.max((x * endX + y * endY) / square, 0), 1);
    const distance = Math.hypot(x - endX * part, y - endY * part) * METRES_PER_DEGREE;
    if (distance > found.distance) found = { index, distance };
  }
  return found;
}
