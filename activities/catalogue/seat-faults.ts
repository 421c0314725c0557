/** Faults of seat plans and trains: a seat has one name, a journey one plan. Pure; called by catalogue-faults.ts. */
import type { Train } from '../../workflows/shared/seats.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { duplicates, type Faults, fault, faultsOfEach, idsOf, unknownReference } from './fault-items.ts';
import type { GivenCatalogue, GivenSeatPlan } from './given-catalogue.ts';

const LISTS = ['datedServiceJourneyIds', 'serviceJourneyIds', 'lineIds'] as const;

export function* seatFaults({ seatPlans = [], trains = [] }: GivenCatalogue): Faults {
  const plans = idsOf(seatPlans);
  yield* duplicates(seatPlans, ({ id }) => id, '/seatPlans', 'id');
  yield* faultsOfEach(seatPlans, (plan, at) => planFaults(plan, `/seatPlans/${at}/carriages`));
  yield* duplicates(trains, ({ id }) => id, '/trains', 'id');
  yield* faultsOfEach(trains, ({ seatPlanId }, at) =>
    unknownReference(seatPlanId, plans, `/trains/${at}/seatPlanId`, 'seat plan'),
  );
  yield* faultsOfEach(trains, (train, at) => listFaults(train, `/trains/${at}`));
  yield* faultsOfEach(LISTS, (list) => repeatedJourneys(trains, list));
}

function* planFaults({ carriages }: GivenSeatPlan, pointer: string): Faults {
  yield* duplicates(carriages, ({ carriageNumber }) => carriageNumber, pointer, 'carriageNumber');
  yield* faultsOfEach(carriages, ({ seats }, at) =>
    duplicates(seats, ({ seatNumber }) => seatNumber, `${pointer}/${at}/seats`, 'seatNumber'),
  );
}

function listFaults(train: Train, pointer: string): readonly ErrorItem[] {
  const given = LISTS.filter((list) => train[list] !== undefined);
  if (given.length === 1) return [];
  return [fault(pointer, 'ONE_LIST', `must have exactly one of ${LISTS.join(', ')}`)];
}

/** Two trains with the same journey would be a matter of their order. */
function repeatedJourneys(trains: readonly Train[], list: (typeof LISTS)[number]): Faults {
  const seen = new Set<string>();
  return faultsOfEach(trains, (train, at) =>
    faultsOfEach(train[list] ?? [], (id, index) => {
      if (seen.has(id)) return [fault(`/trains/${at}/${list}/${index}`, 'DUPLICATE', `${id} has a train already`)];
      seen.add(id);
      return [];
    }),
  );
}
