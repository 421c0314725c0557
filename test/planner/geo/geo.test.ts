import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { greatCircleMetres } from '../../../planner/geo/great-circle.ts';
import { createTimetableBuilder, openTimetable, type Timetable } from '../../../planner/index.ts';

function timetableOf(positions: readonly (readonly [number, number])[]): Timetable {
  const builder = createTimetableBuilder();
  for (const [index, [latitude, longitude]] of positions.entries()) {
    const number = String(index).padStart(5, '0');
    builder.addStopPlace({ id: `T:StopPlace:${number}`, name: 'x', latitude, longitude, modes: [], submodes: [] });
    builder.addQuay({ id: `T:Quay:${number}`, latitude, longitude });
  }
  return openTimetable(builder.finish({ builtAt: 0 }).bytes.buffer as ArrayBuffer);
}

function randomPositions(count: number, south: number, north: number, west: number, east: number) {
  let state = 42;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  return Array.from({ length: count }, () => {
    const longitude = west + random() * (east - west);
    const wrapped = longitude > 180 ? longitude - 360 : longitude;
    return [south + random() * (north - south), wrapped] as const;
  });
}

describe('stops by place', () => {
  it('measures along the great circle', () => {
    const osloTromso = greatCircleMetres(59.9109, 10.7529, 69.6496, 18.956);
    assert.ok(Math.abs(osloTromso - 1_148_000) < 3_000, String(osloTromso));
    assert.equal(greatCircleMetres(59.9, 10.7, 59.9, 10.7), 0);
    assert.ok(Math.abs(greatCircleMetres(0, 179.5, 0, -179.5) - 111_195) < 1);
    assert.ok(Math.abs(greatCircleMetres(90, 0, -90, 0) - 20_015_115) < 1);
  });

  it('finds the nearest first, equal distances by index, and stops exactly at the radius', () => {
    const { geo } = timetableOf([
      [59.91, 10.75],
      [59.92, 10.75],
      [59.9, 10.75],
      [59.92, 10.75],
    ]);
    const one = greatCircleMetres(59.91, 10.75, 59.92, 10.75);
    const near = geo.quaysNear(59.91, 10.75, one);
    assert.deepEqual(
      near.filter(({ index }) => index !== 2).map(({ index, distanceMetres }) => [index, distanceMetres]),
      [
        [0, 0],
        [1, one],
        [3, one],
      ],
    );
    assert.deepEqual(
      geo.stopPlacesNear(59.91, 10.75, 0).map(({ index }) => index),
      [0],
    );
    assert.deepEqual(geo.quaysNear(59.91, 10.75, Number.NaN), []);
    assert.deepEqual(geo.quaysNear(59.91, 10.75, -1), []);
  });

  it('equals a check of every stop: in a city, at the pole, over the 180th meridian, all over the earth', () => {
    for (const [south, north, west, east, radius] of [
      [59.8, 60, 10.5, 11, 2_000],
      [89.9, 90, -180, 180, 5_000],
      [-18, -16, 179, 181, 40_000],
      [-90, 90, -180, 180, 3_000_000],
    ] as const) {
      const positions = randomPositions(400, south, north, west, east);
      const { geo } = timetableOf(positions);
      for (const [latitude, longitude] of randomPositions(25, south, north, west, east)) {
        const expected = positions
          .map((position, index) => ({ index, distanceMetres: greatCircleMetres(latitude, longitude, ...position) }))
          .filter(({ distanceMetres }) => distanceMetres <= radius)
          .sort((a, b) => a.distanceMetres - b.distanceMetres || a.index - b.index);
        assert.deepEqual(geo.quaysNear(latitude, longitude, radius), expected);
        assert.deepEqual(geo.stopPlacesNear(latitude, longitude, radius), expected);
      }
    }
  });

  it('finds the stops in a box, including its edges', () => {
    const positions = randomPositions(300, 59.8, 60, 10.5, 11);
    const { geo } = timetableOf(positions);
    const [edge] = positions;
    const box = {
      minimumLatitude: edge?.[0] ?? 0,
      maximumLatitude: 59.99,
      minimumLongitude: edge?.[1] ?? 0,
      maximumLongitude: 10.99,
    };
    const expected = positions.flatMap(([latitude, longitude], index) =>
      latitude >= box.minimumLatitude &&
      latitude <= box.maximumLatitude &&
      longitude >= box.minimumLongitude &&
      longitude <= box.maximumLongitude
        ? [index]
        : [],
    );
    assert.ok(expected.includes(0));
    assert.deepEqual(geo.quaysIn(box), expected);
    assert.deepEqual(geo.stopPlacesIn(box), expected);
    assert.deepEqual(geo.quaysIn({ ...box, minimumLatitude: 60, maximumLatitude: 59 }), []);
  });

  it('finds nothing where there are no stops', () => {
    const { geo } = timetableOf([]);
    assert.deepEqual(geo.quaysNear(59.9, 10.7, 1e9), []);
    assert.deepEqual(
      geo.stopPlacesIn({ minimumLatitude: -90, maximumLatitude: 90, minimumLongitude: -180, maximumLongitude: 180 }),
      [],
    );
  });
});
