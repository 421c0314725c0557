/** Which user type a traveller has: the given one, or the one for the age. Pure. */
import type { UserType } from '../../shared/fares.ts';

export interface GivenAge {
  readonly age?: number | undefined;
  readonly userType?: string | undefined;
}

export type UserTypeFault = 'MISSING' | 'UNKNOWN_USER_TYPE' | 'NO_USER_TYPE_FOR_AGE' | 'AGE_OUTSIDE_USER_TYPE';

/** A given type is preferred, so that a student of 20 years is no adult. It must fit an age that is given beside it. */
export function userTypeOf(
  { age, userType }: GivenAge,
  userTypes: readonly UserType[],
): { readonly userTypeId: string } | { readonly fault: UserTypeFault } {
  if (userType !== undefined) {
    const type = userTypes.find(({ id }) => id === userType);
    if (!type) return { fault: 'UNKNOWN_USER_TYPE' };
    return age === undefined || fitsAge(type, age) ? { userTypeId: type.id } : { fault: 'AGE_OUTSIDE_USER_TYPE' };
  }
  if (age === undefined) return { fault: 'MISSING' };
  const type = userTypes.find((each) => hasAgeRange(each) && fitsAge(each, age));
  return type ? { userTypeId: type.id } : { fault: 'NO_USER_TYPE_FOR_AGE' };
}

function hasAgeRange({ minAge, maxAge }: UserType): boolean {
  return minAge !== undefined || maxAge !== undefined;
}

function fitsAge({ minAge = 0, maxAge = Number.POSITIVE_INFINITY }: UserType, age: number): boolean {
  return age >= minAge && age <= maxAge;
}
