/**
 * The seating area: which traveller has which seat, and which seats of a journey are free. Seats are held and sold with
 * orders, so moving a traveller to another seat is a change of the order. openapi.yaml describes the operations.
 */
import type { ArrangementSearch, Tenancy } from '../../activities/seating/arrangement-search.ts';
import type { JourneySeats } from '../../activities/seating/journey-seats.ts';
import type { OrderAccess } from '../../activities/shared/orders.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentArrangement, presentCarriages } from './presenters.ts';

export interface SeatingDependencies {
  readonly arrangements: ArrangementSearch;
  readonly journeySeats: JourneySeats;
  readonly orders: () => Pick<OrderAccess, 'moveSeat'>;
}

const EVERY_ORGANISATION = 'organisation:any';

export function createSeatingArea({ arrangements, journeySeats, orders }: SeatingDependencies): TypedArea<Operations> {
  return {
    name: 'seating-arrangements',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      searchSeatingArrangements: async ({ caller, search }) => {
        const found = await arrangements.search(tenancyOf(caller), search);
        return { status: 200, json: { ...found, items: found.items.map(presentArrangement) } };
      },
      getSeatingArrangement: async ({ caller, path }) => ({
        status: 200,
        json: presentArrangement(await arrangements.get(tenancyOf(caller), path.id)),
      }),
      listFreeSeats: async ({ query }) => ({
        status: 200,
        json: { carriages: presentCarriages(await journeySeats.list(query)) },
      }),
      moveSeat: async ({ caller, path, body, correlationId, idempotency }) => {
        const tenancy = tenancyOf(caller);
        const present = await arrangements.get(tenancy, path.id);
        const { carriageNumber, seatNumber, status, orderId, _id: reservationId } = present;
        if (status === 'RELEASED') throw new ServiceError('INVALID_STATE', 'The seat has been given up.');
        const isThere = carriageNumber === body.carriageNumber && seatNumber === body.seatNumber;
        if (!isThere) {
          const { workId } = await idempotency.claim();
          await orders().moveSeat(tenancy, orderId, reservationId, body, {
            workId,
            correlationId,
            clientId: caller.clientId,
          });
        }
        return { status: 200, json: presentArrangement(await arrangements.get(tenancy, path.id)) };
      },
    },
    finds: {
      getSeatingArrangement: async ({ caller, path }) => await arrangements.get(tenancyOf(caller), path.id),
      moveSeat: async ({ caller, path }) => await arrangements.get(tenancyOf(caller), path.id),
    },
  };
}

function tenancyOf(caller: Caller): Tenancy {
  return caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId;
}
