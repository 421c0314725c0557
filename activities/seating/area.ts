/** The manifest of the seating area: seats of journeys, held and sold by stretch. */
import { defineArea } from '../../platform/area.ts';
import { FARES } from '../shared/fares.ts';
import { ORDERS } from '../shared/orders.ts';
import { SEATING } from '../shared/seating.ts';
import { TIMETABLE } from '../shared/timetable.ts';
import { CarriageSeatKeeper } from './seat-keeper.ts';
import { ARRANGEMENTS, CARRIAGES } from './seating-model.ts';

export const seatingArea = defineArea({
  name: 'seating',
  servedBy: 'api',
  collections: [
    {
      definition: CARRIAGES,
      uses: {
        api: ['find', 'insert', 'update'],
        'sales-orders-worker': ['update'],
        'sales-payments-worker': ['update'],
      },
    },
    {
      definition: ARRANGEMENTS,
      uses: {
        api: ['find', 'insert', 'update', 'remove'],
        'sales-orders-worker': ['find', 'update', 'remove'],
        'sales-payments-worker': ['find', 'update', 'remove'],
      },
    },
  ],
  provide: ({ mongo }, interfaces) => {
    const options = {
      fares: () => interfaces.get(FARES),
      timetable: () => interfaces.get(TIMETABLE),
      orders: () => interfaces.get(ORDERS),
    };
    interfaces.provide(SEATING, new CarriageSeatKeeper({ connection: mongo, ...options }));
  },
});
