/** The reason why a named seat cannot be had. */
import assert from 'node:assert/strict';
import { noSeat } from '../../../activities/seating/no-seat.ts';
import type { Carriage } from '../../../workflows/shared/seats.ts';

const CARRIAGES: readonly Carriage[] = [
  {
    carriageNumber: '1',
    seats: [
      {
        seatNumber: '1A',
        properties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities: [] },
      },
      {
        seatNumber: '2A',
        properties: { fareClass: 'STANDARD', accommodationFacility: 'SLEEPER', facilities: [] },
      },
    ],
  },
];

const FACTS = { carriages: CARRIAGES, taken: new Map(), datedServiceJourneyId: 'TST:ServiceJourney:1@2026-11-28' };
const WISH = { fareClass: 'STANDARD', accommodation: 'SEATING', facilities: [] } as const;
const PLAIN = { stretch: { from: 0, to: 2 }, wish: WISH, wholeCompartment: false } as const;

function reasonOf(carriageNumber: string, seatNumber: string): string {
  return noSeat({ ...FACTS, party: { ...PLAIN, places: 1, seat: { carriageNumber, seatNumber } } }).message;
}

describe('A seat that cannot be had', () => {
  it('says whether carriage, seat, kind or another traveller is in the way', () => {
    assert.match(reasonOf('7', '1A'), /^The journey has no carriage 7\. GET .* lists the free seats\.$/);
    assert.match(reasonOf('1', '99Z'), /^Carriage 1 has no seat 99Z\./);
    assert.match(reasonOf('1', '2A'), /^Seat 2A in carriage 1 is of another class or accommodation/);
    assert.match(reasonOf('1', '1A'), /^Seat 1A in carriage 1 is sold to another on a part of the stretch\./);
  });

  it('says how many are free and asked for, of which kind, and which supplement asks', () => {
    const tooFew = (more: object) => noSeat({ ...FACTS, party: { ...PLAIN, places: 20, ...more } }).message;
    const journey = 'TST:ServiceJourney:1@2026-11-28 has';
    assert.equal(tooFew({}), `${journey} 1 free seat on this stretch, and 20 are asked for.`);
    const wish = { ...WISH, facilities: ['TABLE'] };
    assert.equal(
      tooFew({ wish, places: 1, supplementIds: ['coach-table'] }),
      `${journey} 0 free seats of the kind TABLE, which coach-table asks for on this stretch, and 1 is asked for.`,
    );
    const berth = { accommodation: 'SLEEPER', facilities: [] };
    assert.equal(
      tooFew({ wish: berth, places: 2 }),
      `${journey} 1 free seat of the kind SLEEPER on this stretch, and 2 are asked for.`,
    );
    assert.equal(
      tooFew({ wholeCompartment: true, places: 3 }),
      `${journey} no free compartment on this stretch, and 3 places are asked for in one.`,
    );
  });
});
