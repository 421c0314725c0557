/** Seat plans of the demo's coaches and trains, and the lines that run with them. Callers: demo-catalogue.ts. */
import type { GivenSeat, GivenSeatPlan } from '../../../activities/catalogue/given-catalogue.ts';
import type { Accommodation, FareClass } from '../../../workflows/shared/fares.ts';
import type { SeatingProperties, Train } from '../../../workflows/shared/seats.ts';
import { NIGHT_TRAIN } from '../coast-lines.ts';
import { lineId } from './product.ts';
import { DAY_EXPRESS } from './rail-products.ts';

/** Seats of a row by their letters, with `-` for the aisle. */
type Row = 'AB-CD' | 'A-CD';

/** Every fourth row faces a table. */
const TABLE_EVERY = 4;

export const SEAT_PLANS: readonly GivenSeatPlan[] = [
  { id: 'double-decker', carriages: [{ carriageNumber: '1', seats: rows(17, 'AB-CD', 'STANDARD') }] },
  { id: 'small-coach', carriages: [{ carriageNumber: '1', seats: rows(8, 'AB-CD', 'STANDARD') }] },
  {
    id: 'express-train',
    carriages: [
      { carriageNumber: '1', seats: rows(8, 'A-CD', 'FIRST') },
      { carriageNumber: '2', seats: rows(18, 'AB-CD', 'STANDARD') },
    ],
  },
  {
    id: 'night-train',
    carriages: [
      { carriageNumber: '1', seats: rows(12, 'AB-CD', 'STANDARD') },
      { carriageNumber: '2', seats: compartments(9, 'COUCHETTE', ['LOWER', 'LOWER', 'UPPER', 'UPPER']) },
      { carriageNumber: '3', seats: compartments(10, 'SLEEPER', ['LOWER', 'UPPER']) },
    ],
  },
];

export const TRAINS: readonly Train[] = [
  { id: 'coach-nx1', seatPlanId: 'double-decker', seatReservation: 'COMPULSORY', lineIds: [lineId(401)] },
  { id: 'coach-nx2', seatPlanId: 'small-coach', seatReservation: 'COMPULSORY', lineIds: [lineId(402)] },
  { id: 'express', seatPlanId: 'express-train', seatReservation: 'OPTIONAL', lineIds: [lineId(DAY_EXPRESS)] },
  { id: 'night', seatPlanId: 'night-train', seatReservation: 'COMPULSORY', lineIds: [lineId(NIGHT_TRAIN)] },
];

function rows(count: number, row: Row, fareClass: FareClass): readonly GivenSeat[] {
  const letters = [...row];
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((number) =>
    letters.flatMap((letter, at) => {
      if (letter === '-') return [];
      const position = at === 0 || at === letters.length - 1 ? 'WINDOW' : 'AISLE';
      const table = number % TABLE_EVERY === 0 ? ['TABLE'] : [];
      const facilities = ['POWER_SOCKET', ...(position === 'WINDOW' ? ['WINDOW'] : []), ...table];
      const facing = number % TABLE_EVERY === 0 ? 'BACKWARD' : 'FORWARD';
      const seatingProperties = { fareClass, accommodationFacility: 'SEATING', position, facing, facilities } as const;
      return [{ seatNumber: `${number}${letter}`, seatingProperties }];
    }),
  );
}

function compartments(
  count: number,
  accommodationFacility: Accommodation,
  berths: readonly NonNullable<SeatingProperties['position']>[],
): readonly GivenSeat[] {
  return Array.from({ length: count }, (_, index) => String(index + 1)).flatMap((compartmentNumber) =>
    berths.map((position, at) => ({
      seatNumber: `${compartmentNumber}${String.fromCharCode('A'.charCodeAt(0) + at)}`,
      compartmentNumber,
      seatingProperties: {
        fareClass: 'STANDARD',
        accommodationFacility,
        position,
        facilities: ['POWER_SOCKET'],
      } as const,
    })),
  );
}
