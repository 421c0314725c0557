/** The places of the data, and how a command asks for them. Types only. */
import type { ObjectStoreConfig } from '../../platform/object-store/object-store.ts';

export interface Places {
  readonly mongodbUri: string;
  readonly objectStore: ObjectStoreConfig;
  /** Undefined where the environment does not name it. */
  readonly customerKeysUri: string | undefined;
  /** Of a local stack: Temporal starts from nothing next time. */
  readonly forgetTemporal?: () => void;
}

export interface PlacesOptions {
  /** The folder of a local stack; `.local` unless given. */
  readonly local?: string | undefined;
  /** False: a local stack must not run meanwhile. */
  readonly whileRunning: boolean;
  readonly report: (line: string) => void;
}

/** Calls `use` with the places, and returns its result. Throws UserError where the user has to name them first. */
export type WithPlaces = <Result>(options: PlacesOptions, use: (places: Places) => Promise<Result>) => Promise<Result>;
