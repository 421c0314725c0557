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

function reasonOf(carriageNumber: string, seatNumber: string): string {
  const wish = { fareClass: 'STANDARD', accommodation: 'SEATING', facilities: [] } as const;
  return noSeat({ carriages: CARRIAGES, party: { seat: { carriageNumber, seatNumber }, wish } }).message;
}

describe('A seat that cannot be had', () => {
  it('says whether carriage, seat, kind or another traveller is in the way', () => {
    assert.match(reasonOf('7', '1A'), /^The journey has no carriage 7\. GET .* lists the free seats\.$/);
    assert.match(reasonOf('1', '99Z'), /^Carriage 1 has no seat 99Z\./);
    assert.match(reasonOf('1', '2A'), /^Seat 2A in carriage 1 is of another class or accommodation/);
    assert.match(reasonOf('1', '1A'), /^Seat 1A in carriage 1 is sold to another on a part of the stretch\./);
  });
});
