/** Kinds of travellers of the demo, what they may have to show, and what they pay. Callers: the parts of the catalogue. */
import type { GivenBasis, GivenFarePrice } from '../../../activities/catalogue/given-catalogue.ts';
import type { Entitlement, UserType } from '../../../workflows/shared/fares.ts';
import { kroner, texts } from './texts.ts';

export const USER_TYPES: readonly UserType[] = [
  { id: 'CHILD', name: texts('Barn', 'Child', 'Barn'), maxAge: 15 },
  { id: 'YOUTH', name: texts('Ungdom', 'Youth'), minAge: 16, maxAge: 19 },
  { id: 'ADULT', name: texts('Voksen', 'Adult', 'Vaksen'), minAge: 20, maxAge: 66 },
  { id: 'SENIOR', name: texts('Honnør', 'Senior'), minAge: 67 },
  { id: 'STUDENT', name: texts('Student', 'Student') },
];

export const STUDENT_CARD = 'student-card';
export const ENTITLEMENTS: readonly Entitlement[] = [
  { id: STUDENT_CARD, name: texts('Gyldig studentbevis', 'Valid student card', 'Gyldig studentbevis') },
  { id: 'companion-card', name: texts('Ledsagerbevis', 'Companion card', 'Følgjebevis') },
];

/** Percent of the price of an adult. */
const REDUCED: Readonly<Record<string, number>> = { CHILD: 50, SENIOR: 50, YOUTH: 75, STUDENT: 75 };
const PERCENT = 100;

/** One price for everybody. */
export function oneFor(productId: string, basis: GivenBasis): readonly GivenFarePrice[] {
  return [{ productId, basis }];
}

/** Reduced prices beside that of an adult, which everybody else pays. */
export function reduced(productId: string, basis: GivenBasis): readonly GivenFarePrice[] {
  const others = Object.entries(REDUCED).map(([userTypeId, percent]) => ({
    productId,
    userTypeId,
    basis: scaled(basis, percent),
  }));
  return [{ productId, basis }, ...others];
}

function scaled(basis: GivenBasis, percent: number): GivenBasis {
  const of = (amount: string) => kroner((Number(amount) * percent) / PERCENT);
  switch (basis.kind) {
    case 'FLAT':
      return { ...basis, amount: of(basis.amount) };
    case 'ZONES':
      return { ...basis, steps: basis.steps.map(({ zones, amount }) => ({ zones, amount: of(amount) })) };
    case 'DISTANCE':
      return {
        ...basis,
        baseAmount: of(basis.baseAmount),
        amountPerKilometre: of(basis.amountPerKilometre),
        minimumAmount: of(basis.minimumAmount),
      };
    case 'STOP_PAIRS':
      return { ...basis, pairs: basis.pairs.map(({ amount, ...pair }) => ({ ...pair, amount: of(amount) })) };
  }
}
