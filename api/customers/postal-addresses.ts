/** Postal addresses of a profile. */
import type { Identified, PostalAddress } from '../../activities/customers/customer-types.ts';
import type { Schemas } from './contract.gen.ts';

const contentOf = (body: Schemas['PostalAddressRequest']) => body;

export const postalAddresses = {
  segment: 'postal-addresses',
  idOf: ({ id }: Identified) => id,
  contentOf,
  replacementOf: contentOf,
  present: ({ id, type, addressLines, postCode, postTown, countryCode }: PostalAddress & Identified) => ({
    id,
    type,
    addressLines,
    postCode,
    postTown,
    countryCode,
  }),
} as const;
