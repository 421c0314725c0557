/** Postal addresses of a profile. */
import type { PostalAddress } from '../../activities/customers/customer-types.ts';
import type { ItemResource } from './items.ts';

export const postalAddresses: ItemResource<'postalAddresses'> = {
  one: 'PostalAddress',
  many: 'PostalAddresses',
  segment: 'postal-addresses',
  idOf: ({ id }) => id,
  contentOf: ({ body }) => body as PostalAddress,
  present: ({ id, type, addressLines, postCode, postTown, countryCode }) => ({
    ...{ id, type, addressLines, postCode, postTown, countryCode },
  }),
};
