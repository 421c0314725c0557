/** Electronic travel cards of a permanent profile. */
import type { ECardContent } from '../../activities/customers/customer-types.ts';
import type { ItemResource } from './items.ts';

export const eCards: ItemResource<'eCards'> = {
  one: 'ECard',
  many: 'ECards',
  segment: 'e-cards',
  permanentOnly: true,
  idOf: ({ id }) => id,
  contentOf: ({ body }) => body as ECardContent,
  present: ({ id, mediaSerialNumber, issuerCode, name, cardNumber, startOfOwnership, endOfOwnership }) => ({
    ...{ id, mediaSerialNumber, issuerCode, name, cardNumber },
    startOfOwnership: startOfOwnership.toISOString(),
    ...(endOfOwnership && { endOfOwnership: endOfOwnership.toISOString() }),
  }),
};
