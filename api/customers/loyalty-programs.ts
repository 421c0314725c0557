/** Memberships of a permanent profile in loyalty programs. */
import type { Identified, LoyaltyProgram } from '../../activities/customers/customer-types.ts';
import type { Schemas } from './contract.gen.ts';
import { invalidMember } from './requests.ts';

export const loyaltyPrograms = {
  segment: 'loyalty-programs',
  permanentOnly: true,
  idOf: ({ id }: Identified) => id,
  contentOf,
  replacementOf: contentOf,
  present: ({ id, programCode, membershipNumber, validFrom, validTo }: LoyaltyProgram & Identified) => ({
    id,
    programCode,
    membershipNumber,
    validFrom,
    validTo,
  }),
} as const;

function contentOf(membership: Schemas['LoyaltyProgramRequest']): LoyaltyProgram {
  const { validFrom, validTo } = membership;
  // Days in the same format compare as texts.
  if (validTo !== undefined && validTo < validFrom) {
    throw invalidMember('/validTo', 'MINIMUM', 'must not be before validFrom');
  }
  return membership;
}
