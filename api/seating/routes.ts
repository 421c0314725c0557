/**
 * The seating area: which traveller has which seat, and which seats of a journey are free. Seats are held and sold with
 * orders, so moving a traveller to another seat is a change of the order. openapi.yaml describes the operations.
 */
import type { ArrangementSearch, Tenancy } from '../../activities/seating/arrangement-search.ts';
import type { JourneySeats } from '../../activities/seating/journey-seats.ts';
import type { OrderAccess } from '../../activities/shared/orders.ts';
import type { SearchTerm } from '../../platform/mongo/search-filter.ts';
import type { ReservationId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Caller, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentArrangement, presentCarriages } from './presenters.ts';

export interface SeatingDependencies {
  readonly arrangements: ArrangementSearch;
  readonly journeySeats: JourneySeats;
  readonly orders: () => Pick<OrderAccess, 'moveSeat'>;
}

const UUIDS = new Set(['orderLineId', 'reservationId']);
const EVERY_ORGANISATION = 'organisation:any';

export function createSeatingArea({ arrangements, journeySeats, orders }: SeatingDependencies): TypedArea<Operations> {
  return {
    name: 'seating-arrangements',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      searchSeatingArrangements: async ({ caller, search }) => {
        const found = await arrangements.search(tenancyOf(caller), {
          ...search,
          terms: search.terms.map(withPlainIds),
        });
        return { status: 200, json: { ...found, items: found.items.map(presentArrangement) } };
      },
      getSeatingArrangement: async (context) => ({
        status: 200,
        json: presentArrangement(await arrangements.get(...targetOf(context))),
      }),
      listFreeSeats: async ({ query }) => ({
        status: 200,
        json: { carriages: presentCarriages(await journeySeats.list(query)) },
      }),
      moveSeat: async (context) => {
        const { caller, body, correlationId, idempotency } = context;
        const target = targetOf(context);
        const [tenancy] = target;
        const { status, orderId, _id: reservationId } = await arrangements.get(...target);
        if (status === 'RELEASED') throw new ServiceError('INVALID_STATE', 'The seat has been given up.');
        const { workId } = await idempotency.claim();
        // Whether the traveller has the seat already, the order knows.
        const work = { workId, correlationId, clientId: caller.clientId };
        await orders().moveSeat(tenancy, orderId, reservationId, body, work);
        return { status: 200, json: presentArrangement(await arrangements.get(...target)) };
      },
    },
    finds: {
      getSeatingArrangement: async (context) => await arrangements.get(...targetOf(context)),
      moveSeat: async (context) => await arrangements.get(...targetOf(context)),
    },
  };
}

function tenancyOf(caller: Caller): Tenancy {
  return caller.scopes.has(EVERY_ORGANISATION) ? 'ANY' : caller.organisationId;
}

function targetOf({ caller, path }: { readonly caller: Caller; readonly path: { readonly id: ReservationId } }) {
  return [tenancyOf(caller), plainUuid(path.id) as ReservationId] as const;
}

function withPlainIds(term: SearchTerm): SearchTerm {
  if (!UUIDS.has(term.field)) return term;
  return { ...term, values: term.values.map((value) => plainUuid(String(value))) };
}
