/** What the world is told of customers: numbers and names of members, never a personal value. Callers: the stores of this folder. */

import type { EventEnvironment, OutboxEvent } from '../../platform/events/outbox.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { ProfileType } from './customer-types.ts';

export type CustomerNews =
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

export interface NewsPlace {
  readonly customerNumber: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly sequence: number;
  readonly correlationId: string;
  readonly environment: EventEnvironment;
  readonly at: Date;
}

export function customerEvent({ type, ...data }: CustomerNews, place: NewsPlace): OutboxEvent {
  const { customerNumber, organisationId, sequence, correlationId, environment, at } = place;
  return {
    id: `customer/${customerNumber}/${sequence}`,
    sequence,
    topic: `customer-changed-${environment}`,
    key: customerNumber,
    subject: customerNumber,
    source: '/customers',
    type: `service.customer.${type}.v1`,
    time: at,
    data: { ...data, meta: { customerNumber, organisationId, correlationId, occurredAt: at } },
  };
}
