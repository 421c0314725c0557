/** Seats stay sold between the stops where they were sold, whatever a newer timetable says of the journey. */
import assert from 'node:assert/strict';
import { CARRIAGES } from '../../../activities/seating/seating-model.ts';
import type { DatedJourney } from '../../../activities/shared/timetable.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { call, carriage, DEPARTURE, JOURNEY, openTrain, request, stretch, type Train } from './support.ts';

const isNoSeat = (error: unknown) => error instanceof ServiceError && error.code === 'SEAT_UNAVAILABLE';

/** `A B C`: a call at each, ten minutes apart; the station S is above A. */
function journey(stops: string, more: Partial<DatedJourney> = {}): DatedJourney {
  return {
    datedServiceJourneyId: JOURNEY,
    serviceJourneyId: 'TST:ServiceJourney:1',
    serviceDay: '2026-11-24',
    isCancelled: false,
    lineId: 'TST:Line:1',
    mode: 'rail',
    authorityId: 'TST:Authority:1',
    calls: stops.split(' ').map((stop, position) => ({
      position,
      quayId: `Quay:${stop}`,
      stopPlaceId: stop,
      ...(stop === 'A' && { parentStopPlaceId: 'S' }),
      stopName: stop,
      departure: new Date(DEPARTURE.getTime() + position * 600_000),
      forBoarding: true,
      forAlighting: true,
      zoneIds: [],
      distanceMetres: position * 1_000,
    })),
    ...more,
  };
}

describe('Seats of a journey that changes', () => {
  let train: Train;
  beforeEach(async () => {
    train = await openTrain([carriage('1', 1)]);
  });
  afterEach(() => train?.connection.close());

  /** Positions are those of an offer, and may be old. */
  const hold = async (from: string, to: string, positions: readonly [number, number] = [0, 1], id = JOURNEY) =>
    await train.keeper.hold(
      call([request(stretch(...positions, { fromStopPlaceId: from, toStopPlaceId: to, datedServiceJourneyId: id }))]),
    );
  const taken = async () => {
    const found = await CARRIAGES.open(train.connection).find().toArray();
    return found
      .flatMap(({ stretches }) => stretches.map(({ from, to }) => `${from}-${to}`))
      .sort()
      .join(' ');
  };

  it('are counted anew when a call is added before them', async () => {
    train.setJourney([JOURNEY], journey('A B C'));
    await hold('B', 'C', [1, 2]);
    train.setJourney([JOURNEY], journey('X A B C'));
    await assert.rejects(hold('B', 'C', [2, 3]), isNoSeat);
    await assert.rejects(hold('B', 'C', [1, 2]), isNoSeat, 'of an offer that was made before');
    await hold('A', 'B', [1, 2]);
    assert.equal(await taken(), '1-2 2-3');
    await hold('X', 'A', [0, 1]);
    assert.equal(await taken(), '0-1 1-2 2-3');
  });

  it('stay sold to the end where their last stop is left out', async () => {
    train.setJourney([JOURNEY], journey('A B C D'));
    await hold('B', 'C', [1, 2]);
    train.setJourney([JOURNEY], journey('A B D'));
    await assert.rejects(hold('B', 'D', [1, 2]), isNoSeat);
    await hold('A', 'B', [0, 1]);
    assert.equal(await taken(), '0-1 1-2');
  });

  it('are found by the other id that the timetable gives the journey', async () => {
    train.setJourney([JOURNEY], journey('A B C'));
    await hold('A', 'C');
    train.setJourney([JOURNEY, 'TST:Dated:1'], journey('A B C', { datedServiceJourneyId: 'TST:Dated:1' }));
    await assert.rejects(hold('A', 'B', [0, 1], 'TST:Dated:1'), isNoSeat);
    const { free } = await train.keeper.count(stretch(0, 1, { datedServiceJourneyId: 'TST:Dated:1' }), {
      accommodation: 'SEATING',
      facilities: [],
    });
    assert.equal(free, 0);
  });

  it('belong to one departure of a frequency journey', async () => {
    const departures = [`${JOURNEY}@28800`, `${JOURNEY}@29400`];
    for (const id of departures) train.setJourney([id], journey('A B', { datedServiceJourneyId: id }));
    for (const id of departures) await hold('A', 'B', [0, 1], id);
    await assert.rejects(hold('A', 'B', [0, 1], departures[0]), isNoSeat);
  });

  it('are found by the place above a stop', async () => {
    train.setJourney([JOURNEY], journey('X A B'));
    await hold('S', 'B', [0, 1]);
    assert.equal(await taken(), '1-2');
  });

  it('are counted once by processes that see the change at the same time', async () => {
    train.setJourney([JOURNEY], journey('A B C D'));
    await hold('A', 'B', [0, 1]);
    train.setJourney([JOURNEY], journey('X A B C D'));
    const wanted = [
      ['B', 'C'],
      ['C', 'D'],
      ['X', 'A'],
    ] as const;
    await Promise.all(
      wanted.map(([fromStopPlaceId, toStopPlaceId], at) =>
        train.others[at]?.hold(call([request(stretch(0, 1, { fromStopPlaceId, toStopPlaceId }))])),
      ),
    );
    assert.equal(await taken(), '0-1 1-2 2-3 3-4');
  });
});
