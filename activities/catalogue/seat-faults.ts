/** Faults of seat plans and trains: a seat has one name, a journey one plan. Pure; called by catalogue-faults.ts. */
import type { Train } from '../../workflows/shared/seats.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { duplicates, fault, idsOf, unknownReference } from './fault-items.ts';
import type { GivenCatalogue, GivenSeatPlan } from './given-catalogue.ts';

const LISTS = ['datedServiceJourneyIds', 'serviceJourneyIds', 'lineIds'] as const;

export function seatFaults({ seatPlans = [], trains = [] }: GivenCatalogue): readonly ErrorItem[] {
  const plans = idsOf(seatPlans);
  return [
    ...duplicates(seatPlans, ({ id }) => id, '/seatPlans', 'id'),
    ...seatPlans.flatMap((plan, at) => planFaults(plan, `/seatPlans/${at}/carriages`)),
    ...duplicates(trains, ({ id }) => id, '/trains', 'id'),
    ...trains.flatMap(({ seatPlanId }, at) =>
      unknownReference(seatPlanId, plans, `/trains/${at}/seatPlanId`, 'seat plan'),
    ),
    ...trains.flatMap((train, at) => listFaults(train, `/trains/${at}`)),
    ...LISTS.flatMap((list) => repeatedJourneys(trains, list)),
  ];
}

function planFaults({ carriages }: GivenSeatPlan, pointer: string): readonly ErrorItem[] {
  return [
    ...duplicates(carriages, ({ carriageNumber }) => carriageNumber, pointer, 'carriageNumber'),
    ...carriages.flatMap(({ seats }, at) =>
      duplicates(seats, ({ seatNumber }) => seatNumber, `${pointer}/${at}/seats`, 'seatNumber'),
    ),
  ];
}

function listFaults(train: Train, pointer: string): readonly ErrorItem[] {
  const given = LISTS.filter((list) => train[list] !== undefined);
  if (given.length === 1) return [];
  return [fault(pointer, 'ONE_LIST', `must have exactly one of ${LISTS.join(', ')}`)];
}

/** Two trains with the same journey would be a matter of their order. */
function repeatedJourneys(trains: readonly Train[], list: (typeof LISTS)[number]): readonly ErrorItem[] {
  const seen = new Set<string>();
  return trains.flatMap((train, at) =>
    (train[list] ?? []).flatMap((id, index) => {
      if (seen.has(id)) return [fault(`/trains/${at}/${list}/${index}`, 'DUPLICATE', `${id} has a train already`)];
      seen.add(id);
      return [];
    }),
  );
}
