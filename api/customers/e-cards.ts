/** Electronic travel cards of a permanent profile. */
import type { ECard, Identified } from '../../activities/customers/customer-types.ts';
import type { Schemas } from './contract.gen.ts';

const contentOf = (body: Schemas['ECardRequest']) => body;

export const eCards = {
  segment: 'e-cards',
  permanentOnly: true,
  idOf: ({ id }: Identified) => id,
  contentOf,
  replacementOf: contentOf,
  present: (card: ECard & Identified) => ({
    id: card.id,
    mediaSerialNumber: card.mediaSerialNumber,
    issuerCode: card.issuerCode,
    name: card.name,
    cardNumber: card.cardNumber,
    startOfOwnership: card.startOfOwnership.toISOString(),
    endOfOwnership: card.endOfOwnership?.toISOString(),
  }),
} as const;
