/** Composes the seating area for the API process. Caller: api/server.ts, by the area's name. */
import { ArrangementSearch } from '../../activities/seating/arrangement-search.ts';
import { JourneySeats } from '../../activities/seating/journey-seats.ts';
import { FARES } from '../../activities/shared/fares.ts';
import { ORDERS } from '../../activities/shared/orders.ts';
import { TIMETABLE } from '../../activities/shared/timetable.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createSeatingArea } from './routes.ts';

export const composition: AreaComposition = {
  config: {},
  compose: ({ mongo: connection, interfaces }) => {
    const [timetable, fares] = [interfaces.get(TIMETABLE), interfaces.get(FARES)];
    const orders = () => interfaces.get(ORDERS);
    const arrangements = new ArrangementSearch({ connection, orders });
    const journeySeats = new JourneySeats({ connection, timetable, fares });
    return { area: createSeatingArea({ arrangements, journeySeats, orders }) };
  },
};
