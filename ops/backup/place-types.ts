/** Where data lies, and how that is asked for. Callers: everything of this folder. Types only. */
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
  /** Of a local stack; `.local` unless given. */
  readonly local?: string | undefined;
  /** False: a local stack must not run meanwhile. */
  readonly whileRunning: boolean;
  readonly report: (line: string) => void;
}
