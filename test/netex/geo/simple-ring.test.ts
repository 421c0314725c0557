import assert from 'node:assert/strict';
import { orientation } from '../../../netex/geo/orientation.ts';
import { findRingFault } from '../../../netex/geo/simple-ring.ts';

type Point = readonly [number, number];

const fault = (points: readonly Point[]) => findRingFault(Float64Array.from(points.flat()));
const ring = (...points: Point[]) => [...points, points[0] ?? ([0, 0] as const)];

describe('a ring of positions', () => {
  it('is the border of an area', () => {
    assert.equal(fault(ring([0, 0], [4, 0], [4, 3])), undefined);
    assert.equal(fault(ring([0, 0], [4, 0], [4, 4], [0, 4])), undefined);
    assert.equal(fault(ring([0, 0], [2, 0], [4, 0], [4, 4], [2, 1], [0, 4])), undefined);
  });

  it('may repeat a position at once', () => {
    assert.equal(fault(ring([0, 0], [4, 0], [4, 0], [4, 0], [4, 3])), undefined);
  });

  it('has at least three corners', () => {
    assert.deepEqual(fault([]), { kind: 'too-few' });
    assert.deepEqual(fault(ring([0, 0], [4, 0])), { kind: 'too-few' });
    assert.deepEqual(fault(ring([0, 0], [4, 0], [4, 0], [4, 0])), { kind: 'too-few' });
  });

  it('ends at its first position', () => {
    assert.deepEqual(fault([...ring([0, 0], [4, 0], [4, 3]).slice(0, -1), [0, 0.001]]), { kind: 'not-closed' });
  });

  const crossing: Record<string, readonly Point[]> = {
    'crosses itself': ring([0, 0], [4, 4], [4, 0], [0, 4]),
    'touches itself in a corner': ring([0, 0], [2, 2], [4, 0], [4, 4], [2, 2], [0, 4]),
    'touches a side with a corner': ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4]),
    'touches an upright side with a corner': ring([0, 0], [0, 4], [4, 4], [0, 2], [4, 0]),
    'runs back over itself': ring([0, 0], [4, 0], [8, 0], [4, 0], [4, 4]),
    'runs back over a part of itself': ring([0, 0], [8, 0], [4, 0], [4, 4]),
    'is a line there and back': ring([0, 0], [4, 4], [8, 8]),
    'lies on a side of its own far away': ring([0, 0], [6, 0], [6, 2], [5, 0], [1, 0], [0, 2]),
  };
  for (const [name, points] of Object.entries(crossing)) {
    it(`is none when it ${name}`, () => {
      for (const turned of [points, points.map(([x, y]): Point => [y, x]), points.toReversed()])
        assert.equal(fault(turned)?.kind, 'crossing');
    });
  }

  it('gives the result of comparing every side with every other', () => {
    const random = createRandom(20261121);
    let crossings = 0;
    for (let round = 0; round < 4000; round++) {
      const size = 3 + (random() % 9);
      const range = 3 + (random() % 12);
      const points = Array.from({ length: size }, (): Point => [random() % range, random() % range]);
      const found = fault(ring(...points)) !== undefined;
      assert.equal(found, hasFault(points), JSON.stringify(points));
      if (found) crossings++;
    }
    assert.ok(crossings > 500 && crossings < 3900, String(crossings));
  });

  it('is checked at once for 100,000 corners', () => {
    const comb = Array.from({ length: 100_000 }, (_, index): Point => [index, index % 2 === 0 ? 0 : 1000]);
    const points = ring(...comb, [100_000, -5], [-1, -5]);
    assert.equal(fault(points), undefined);
    const star = Array.from({ length: 100_000 }, (_, index): Point => {
      const angle = (index * 2 * Math.PI) / 100_000;
      const radius = index % 2 === 0 ? 1 : 0.5;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    });
    assert.equal(fault(ring(...star)), undefined);
  }).timeout(30_000);

  it('distinguishes a side of a line from rounding', () => {
    assert.equal(orientation(0.1, 0.1, 0.3, 0.3, 0.2, 0.2), 0);
    assert.equal(orientation(0.1, 0.1, 0.3, 0.3, 0.2, 0.2 + 2 ** -54), 1);
    assert.equal(orientation(0.1, 0.1, 0.3, 0.3, 0.2, 0.2 - 2 ** -54), -1);
  });
});

/** Uses whole numbers, so every product is exact. */
function hasFault(points: readonly Point[]): boolean {
  const corners = points.filter((point, index) => !same(point, points[(index + 1) % points.length] ?? point));
  const size = corners.length;
  if (size < 3) return true;
  const at = (index: number): Point => corners[index % size] ?? [0, 0];
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const [a1, a2, b1, b2] = [at(a), at(a + 1), at(b), at(b + 1)];
      if (b === a + 1 || (a === 0 && b === size - 1)) {
        const [shared, one, other] = b === a + 1 ? [a2, a1, b2] : [a1, a2, b1];
        if (turn(shared, one, other) === 0 && scalar(shared, one, other) > 0) return true;
      } else if (meet(a1, a2, b1, b2)) return true;
    }
  }
  return false;
}

const same = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];
const turn = (a: Point, b: Point, c: Point): number =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
const scalar = (o: Point, a: Point, b: Point): number => (a[0] - o[0]) * (b[0] - o[0]) + (a[1] - o[1]) * (b[1] - o[1]);
const isBetween = (a: Point, b: Point, c: Point): boolean => turn(a, b, c) === 0 && scalar(c, a, b) <= 0;

function meet(a1: Point, a2: Point, b1: Point, b2: Point): boolean {
  if (isBetween(a1, a2, b1) || isBetween(a1, a2, b2) || isBetween(b1, b2, a1) || isBetween(b1, b2, a2)) return true;
  return turn(a1, a2, b1) * turn(a1, a2, b2) < 0 && turn(b1, b2, a1) * turn(b1, b2, a2) < 0;
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}
