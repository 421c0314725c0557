/** Types of the data's places, and of the functions by which a command gets them. */
import type { CustomerSecrets } from '../../activities/customers/customer-config.ts';
import type { KeyRing } from '../../platform/keys/key-ring.ts';
import type { ObjectStoreConfig } from '../../platform/object-store/object-store.ts';

export interface Places {
  readonly mongodbUri: string;
  readonly objectStore: ObjectStoreConfig;
  /** Undefined if the environment does not name it. */
  readonly customerKeysUri: string | undefined;
  /** Needed to restore data with customers: their search keys are computed again. */
  readonly customerSecrets?: CustomerSecrets | undefined;
  /**
   * May be undefined for a back-up of the keys alone: the command then reports that the audit log does not record it.
   */
  readonly auditKeys?: KeyRing | undefined;
  /** Set for a local stack: makes the next Temporal start without any state. */
  readonly forgetTemporal?: () => void;
}

export interface PlacesOptions {
  /** The folder of a local stack; the default is `.local`. */
  readonly local?: string | undefined;
  /** False if a local stack must not run meanwhile. */
  readonly whileRunning: boolean;
  /** True if a local stack without stored data is an error. Otherwise it is created. */
  readonly mustExist?: boolean;
  /** True if the place of the customers' keys is enough. */
  readonly keysAlone?: boolean;
  readonly report: (line: string) => void;
}

/**
 * Finds the keys of back-ups. `local` is as in {@link PlacesOptions}. Throws UserError if the user has to set them
 * first.
 */
export type FindBackupKeys = (local: string | undefined) => KeyRing;

/** Calls `use` with the places and returns its result. Throws UserError if the user has to name them first. */
export type WithPlaces = <Result>(options: PlacesOptions, use: (places: Places) => Promise<Result>) => Promise<Result>;
