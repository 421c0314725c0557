/** Tickets for the express coaches. Every one of them has a seat. */
import type { GivenBasis } from '../../../activities/catalogue/given-catalogue.ts';
import { fare, lineId, type Parties, type Sold } from './product.ts';
import { kroner, texts } from './texts.ts';
import { reduced, STUDENT_CARD } from './travellers.ts';

export const COACHES = [401, 402];

export function coachProducts(parties: Parties): readonly Sold[] {
  const coach = {
    ...parties,
    area: { kind: 'LINES', lineIds: COACHES.map(lineId) },
    fareClass: 'STANDARD',
    optionalSupplements: ['coach-window', 'coach-table', 'coach-luggage', 'coach-meal'],
  } as const;
  return [
    fare(
      {
        ...coach,
        id: 'coach-flex',
        name: texts('Ekspressbuss fleksibel', 'Coach flexible'),
        transferable: true,
        refundRuleSetId: 'refund-free',
        changeRuleSetId: 'change-free',
      },
      (id) => reduced(id, byDistance(1.4)),
    ),
    fare(
      {
        ...coach,
        id: 'coach-standard',
        name: texts('Ekspressbuss', 'Coach'),
        transferable: false,
        refundRuleSetId: 'refund-steps',
        changeRuleSetId: 'change-fee',
      },
      (id) => reduced(id, byDistance(1)),
    ),
    fare(
      {
        ...coach,
        id: 'coach-saver',
        name: texts('Ekspressbuss spar', 'Coach saver'),
        transferable: false,
        refundRuleSetId: 'refund-none',
        changeRuleSetId: 'change-free',
      },
      (id) => reduced(id, byDistance(0.8)),
    ),
    fare(
      {
        ...coach,
        id: 'coach-student',
        name: texts('Ekspressbuss student', 'Coach for students'),
        transferable: false,
        refundRuleSetId: 'refund-fee',
        changeRuleSetId: 'change-free',
        requiredEntitlements: [STUDENT_CARD],
      },
      (id) => [{ productId: id, basis: byDistance(0.6) }],
    ),
  ];
}

function byDistance(factor: number): GivenBasis {
  return {
    kind: 'DISTANCE',
    baseAmount: kroner(60 * factor),
    amountPerKilometre: kroner(2.4 * factor),
    minimumAmount: kroner(120 * factor),
    roundUpTo: kroner(1),
  };
}
