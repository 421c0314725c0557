/** Tests how white list, bans, modes and filters become the planner's filters. */
import assert from 'node:assert/strict';
import { filtersOf, modesOf } from '../../../../api/journey-planner/trip/trip-filters.ts';
import type { TripSelect } from '../../../../planner/trip/trip-types.ts';

const select = (own: Partial<TripSelect>): TripSelect => ({
  lines: undefined,
  authorities: undefined,
  groupsOfLines: undefined,
  serviceJourneys: undefined,
  modes: undefined,
  ...own,
});

describe('filters of trips', () => {
  it('with empty lists and nulls restrict nothing', () => {
    const empty = { lines: [], authorities: null, organisations: [null] };
    assert.deepEqual(filtersOf({ whiteListed: empty, banned: empty, filters: [], modes: modesOf([]) }), []);
    assert.deepEqual(filtersOf({ filters: [{ select: [], not: [{ lines: [] }] }] }), []);
    assert.deepEqual(filtersOf({ whiteListed: null, banned: undefined, filters: null }), []);
  });

  it('allow a ride on the white list by line or by authority', () => {
    assert.deepEqual(filtersOf({ whiteListed: { lines: ['L1'], authorities: ['A1'], organisations: ['A2'] } }), [
      { select: [select({ lines: ['L1'] }), select({ authorities: ['A1', 'A2'] })], not: [] },
    ]);
  });

  it('ban by line, by authority and by journey', () => {
    const banned = { lines: ['L1'], authorities: ['A1'], serviceJourneys: ['J1'] };
    assert.deepEqual(filtersOf({ banned }), [
      {
        select: [],
        not: [select({ lines: ['L1'] }), select({ authorities: ['A1'] }), select({ serviceJourneys: ['J1'] })],
      },
    ]);
  });

  it('apply white list and modes with each filter', () => {
    const modes = modesOf([
      { transportMode: 'bus', transportSubModes: ['localBus', 'nightBus'] },
      { transportMode: 'rail' },
    ]);
    const made = filtersOf({
      modes,
      whiteListed: { lines: ['L1', 'L2'] },
      banned: { lines: ['L9'] },
      filters: [
        {
          select: [
            { lines: ['L2', 'L3'], transportModes: [{ transportMode: 'bus', transportSubModes: ['localBus'] }] },
          ],
        },
        { not: [{ groupOfLines: ['G1'] }] },
      ],
    });
    assert.deepEqual(made, [
      {
        select: [select({ lines: ['L2'], modes: [{ mode: 'bus', submodes: ['localBus'] }] })],
        not: [select({ lines: ['L9'] })],
      },
      {
        select: [select({ lines: ['L1', 'L2'], modes })],
        not: [select({ groupsOfLines: ['G1'] }), select({ lines: ['L9'] })],
      },
    ]);
  });

  it('allow nothing when they contradict each other', () => {
    const [filter] = filtersOf({
      whiteListed: { lines: ['L1'] },
      filters: [{ select: [{ lines: ['L2'] }] }],
    });
    assert.deepEqual(filter, { select: [select({ lines: [] })], not: [] });
  });

  it('by submode without a mode allow any mode', () => {
    const [filter] = filtersOf({
      modes: [{ mode: 'rail', submodes: undefined }],
      filters: [{ select: [{ transportModes: [{ transportSubModes: ['local'] }] }] }],
    });
    assert.deepEqual(filter?.select, [select({ modes: [{ mode: 'rail', submodes: ['local'] }] })]);
  });
});
