/**
 * The activities of the workflows of customers: types only, implemented in `activities/customers`.
 *
 * Every function may run twice, and two at once, with the same effect as one run. Arguments and results are numbers,
 * ids and names of steps; personal data never leaves the database. Histories hold the names of the functions: they
 * never change.
 */
import type { ConversionOutcome, ConversionRequest, CustomerInput } from './messages.ts';

/** The state of a profile. Instants in milliseconds. */
export type ProfileExpiry =
  | { readonly state: 'TEMPORARY'; readonly expiresAtMs: number }
  /** `ENDING`: expired or deleted. `GONE`: erased, or never there. */
  | { readonly state: 'PERMANENT' | 'ENDING' | 'GONE' };

/** Of `temporaryProfile`: one read or conditional write each, run as local activities. */
export interface TemporaryProfileRecords {
  readStanding(input: CustomerInput): Promise<ProfileExpiry>;
  /** Only what is temporary still, and due by the clock of the database's client, expires. */
  expireProfile(input: CustomerInput): Promise<'EXPIRED' | 'NOT_YET' | 'PERMANENT' | 'GONE'>;
  /** Only what is temporary still, and not due, is converted. Repeated with the same id it answers the same. */
  convertProfile(input: CustomerInput & ConversionRequest): Promise<ConversionOutcome>;
}

/** Of `profileErasure`: short, run as local activities. */
export interface ErasureRecords {
  /** `ACTIVE`: it was not deleted, and nothing is to be done. */
  blockProfile(input: CustomerInput): Promise<'BLOCKED' | 'ACTIVE' | 'GONE'>;
  /** From here on no copy of the data that was sealed for this profile can be read. */
  destroyKey(input: CustomerInput): Promise<void>;
  /** Leaves the tombstone. */
  removeContent(input: CustomerInput): Promise<void>;
  /** Names of the steps that other areas have registered. */
  listErasureAreas(input: CustomerInput): Promise<readonly string[]>;
  /** Names of members, or of the key, that the profile's own steps have left; none when all is gone. */
  findLeftovers(input: CustomerInput): Promise<readonly string[]>;
  /**
   * Writes the event `CustomerErased` in the same write. `dueAtMs`: since when it should be erased; absent when it was
   * erased before this run.
   */
  markErased(input: CustomerInput & { readonly dueAtMs?: number }): Promise<void>;
}

export interface AreaInput extends CustomerInput {
  /** One of `listErasureAreas`. A worker that does not know it fails; a newer one does it. */
  readonly area: string;
}

/** Of `profileErasure`: may list many things; with heartbeats. */
export interface ErasureActivities {
  eraseArea(input: AreaInput): Promise<void>;
  isAreaErased(input: AreaInput): Promise<boolean>;
}
