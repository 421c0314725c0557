/** Legs that are one ride twice. */
import assert from 'node:assert/strict';
import { repeatedRides } from '../../../activities/offers/repeated-rides.ts';

const ride = (datedServiceJourneyId: string, fromPosition: number, toPosition: number) => ({
  ...{ datedServiceJourneyId, fromPosition, toPosition },
});
const pointersOf = (...rides: readonly ReturnType<typeof ride>[]) =>
  repeatedRides(rides, (at) => `/${at}`).map(({ pointer, code, detail }) => [
    pointer,
    code,
    /that (\S+) is/.exec(detail)?.[1],
  ]);

describe('legs of one search', () => {
  it('are one ride twice when they share a stretch of one run', () => {
    assert.deepEqual(pointersOf(ride('J@1', 0, 2), ride('K@1', 0, 2), ride('J@1', 0, 2)), [['/2', 'DUPLICATE', '/0']]);
    assert.deepEqual(pointersOf(ride('J@1', 0, 2), ride('J@1', 1, 3)), [['/1', 'DUPLICATE', '/0']]);
  });

  it('are two rides on other stretches, and on another run', () => {
    assert.deepEqual(pointersOf(ride('J@1', 0, 1), ride('J@1', 1, 2), ride('J@2', 0, 1)), []);
  });
});
