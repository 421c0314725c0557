/** Memberships of a permanent profile in loyalty programs. */
import type { LoyaltyProgram } from '../../activities/customers/customer-types.ts';
import type { ItemResource } from './items.ts';
import { invalidMember } from './requests.ts';

export const loyaltyPrograms: ItemResource<'loyaltyPrograms'> = {
  one: 'LoyaltyProgram',
  many: 'LoyaltyPrograms',
  segment: 'loyalty-programs',
  permanentOnly: true,
  idOf: ({ id }) => id,
  contentOf: ({ body }) => {
    const membership = body as LoyaltyProgram;
    const { validFrom, validTo } = membership;
    // Days written alike compare as texts.
    if (validTo !== undefined && validTo < validFrom) {
      throw invalidMember('/validTo', 'MINIMUM', 'must not be before validFrom');
    }
    return membership;
  },
  present: ({ id, programCode, membershipNumber, validFrom, validTo }) => ({
    ...{ id, programCode, membershipNumber, validFrom, validTo },
  }),
};
