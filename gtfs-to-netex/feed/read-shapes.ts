/** Reads the points of shapes that trips refer to, as columns in order. Caller: read-feed.ts. */
import { growingFloat64, growingInt32 } from '../../netex/packed/growing-array.ts';
import type { ChangeLog } from './change-log.ts';
import type { Shapes } from './feed.ts';
import type { FeedArchive } from './feed-archive.ts';
import { type Progress, readTable } from './table.ts';
import { decimal, wholeOr } from './values.ts';

export async function readShapes(
  feed: FeedArchive,
  numbers: ReadonlyMap<string, number>,
  changes: ChangeLog,
  onProgress: Progress,
): Promise<Shapes> {
  const [shape, sequence] = [growingInt32(), growingInt32()];
  const [latitude, longitude, distance] = [growingFloat64(), growingFloat64(), growingFloat64()];
  if (feed.has('shapes.txt')) {
    await readTable(feed, 'shapes.txt', onProgress, (columns) => {
      const id = columns.required('shape_id');
      const [lat, lon] = [columns.required('shape_pt_lat'), columns.required('shape_pt_lon')];
      const [place, travelled] = [columns.required('shape_pt_sequence'), columns.optional('shape_dist_traveled')];
      return (row) => {
        const number = numbers.get(row.text(id));
        if (number === undefined) return;
        const [y, x] = [decimal(row.text(lat)), decimal(row.text(lon))];
        if (!(Math.abs(y) <= 90 && Math.abs(x) <= 180)) {
          changes.note('points of shapes left out that are nowhere on earth', row.text(id));
          return;
        }
        shape.push(number);
        sequence.push(wholeOr(row.text(place), 0));
        latitude.push(y);
        longitude.push(x);
        distance.push(decimal(row.text(travelled)));
      };
    });
  }
  return inOrder(
    shape.values(),
    sequence.values(),
    [latitude.values(), longitude.values(), distance.values()],
    numbers.size,
  );
}

function inOrder(
  shape: Int32Array,
  sequence: Int32Array,
  [latitude, longitude, distance]: readonly [Float64Array, Float64Array, Float64Array],
  shapes: number,
): Shapes {
  const order = new Int32Array(shape.length).map((_, index) => index);
  order.sort(
    (a, b) => (shape[a] as number) - (shape[b] as number) || (sequence[a] as number) - (sequence[b] as number) || a - b,
  );
  const first = new Int32Array(shapes + 1);
  for (const number of shape) first[number + 1] = (first[number + 1] as number) + 1;
  for (let index = 0; index < shapes; index++)
    first[index + 1] = (first[index + 1] as number) + (first[index] as number);
  const pick = (values: Float64Array): Float64Array => Float64Array.from(order, (row) => values[row] as number);
  return { first, latitude: pick(latitude), longitude: pick(longitude), distance: pick(distance) };
}
