import type { ConversionOutcome } from '../../workflows/customers/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';

export type ExpiryState =
  | { readonly state: 'TEMPORARY'; readonly expirationDate: Date }
  /** ERASED also when there is no such profile. */
  | { readonly state: 'PERMANENT' | 'EXPIRED' | 'ERASING' | 'ERASED' };

/** A profile whose workflow is wanted: `temporaryProfile` while ACTIVE, else `profileErasure`. */
export interface WantedStart {
  readonly customerNumber: CustomerNumber;
  readonly organisationId: OrganisationId;
  readonly status: 'ACTIVE' | 'ERASING' | 'EXPIRED';
  readonly revision: number;
}

export declare class ProfileLifecycleStore {
  constructor(options: CustomerStoreOptions);
  expiryOf(customerNumber: CustomerNumber): Promise<ExpiryState>;
  expire(customerNumber: CustomerNumber): Promise<'EXPIRED' | 'NOT_YET' | 'PERMANENT' | 'GONE'>;
  convert(customerNumber: CustomerNumber, conversionId: string): Promise<ConversionOutcome>;
  /** Sees to it that nobody reads or writes it any more. ERASED also when there is no such profile. */
  beginErasing(customerNumber: CustomerNumber): Promise<'ERASING' | 'EXPIRED' | 'ERASED'>;
  destroyKey(customerNumber: CustomerNumber): Promise<void>;
  removeContent(customerNumber: CustomerNumber): Promise<void>;
  /** What is left of the person: names of members, `key`; empty when nothing is. */
  verify(customerNumber: CustomerNumber): Promise<readonly string[]>;
  markErased(customerNumber: CustomerNumber): Promise<void>;
  /** Temporary profiles whose date is at or before `now`, earliest first. */
  listDue(now: Date, limit: number): Promise<readonly WantedStart[]>;
  /** Whose erasure began before `before` and has not ended. */
  listErasing(before: Date, limit: number): Promise<readonly WantedStart[]>;
  /** Wanted since before `before`, oldest first. */
  listPendingStarts(before: Date, limit: number): Promise<readonly WantedStart[]>;
  /** Nothing when it was written since: `revision` is that of the write whose start is done. Not needed once it is being erased. */
  clearPendingStart(customerNumber: CustomerNumber, revision?: number): Promise<void>;
}
