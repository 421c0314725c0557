/** The domain events of customers: numbers and names of members, never a personal value. Callers: the stores of this folder. */
import type { EventFamily } from '../../platform/events/event-family.ts';
import type { ProfileType } from './customer-types.ts';
import type { ProfileDocument } from './profile-document.ts';

export type CustomerEvent =
  | { readonly type: 'CustomerCreated'; readonly profileType: ProfileType; readonly expirationDate?: Date }
  | { readonly type: 'CustomerUpdated'; readonly changed: readonly string[] }
  | { readonly type: 'CustomerConverted' }
  | { readonly type: 'CustomerErased' }
  | {
      readonly type: 'ConsentChanged';
      readonly consentId: string;
      readonly consentCode: string;
      /** Null when the consent was removed. */
      readonly consentChoice: boolean | null;
      readonly consentVersion: number;
      readonly distributionChannel: string;
    };

export const CUSTOMER_EVENTS: EventFamily<Pick<ProfileDocument, '_id' | 'organisationId'>> = {
  aggregate: 'customer',
  topic: 'customer-changed',
  source: '/customers',
  typePrefix: 'service.customer',
  describe: ({ _id, organisationId }) => ({
    aggregateId: _id,
    key: _id,
    organisationId,
    ids: { customerNumber: _id },
  }),
};
