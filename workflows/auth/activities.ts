/**
 * The activities of the rotation of signing keys: types only, implemented in `activities/auth`. Every function may run
 * twice and two at once, with the same effect as one run. No key enters or leaves, only its id.
 */
export interface SigningKeyRecords {
  /** Ids of every key there is. */
  listKeys(): Promise<readonly string[]>;
  /** Makes the key of this rotation; where one is next already, that one is it. `signsFromMs`: every cache holds it by then. */
  publishNext(input: {
    readonly rotationId: string;
    readonly isWithdrawal?: boolean;
  }): Promise<{ readonly kid: string; readonly signsFromMs: number }>;
  /** `GONE`: the key was withdrawn. `TOO_EARLY`: by the clock of the database's client. */
  startSigning(input: { readonly kid: string; readonly atOnce: boolean }): Promise<'SIGNS' | 'TOO_EARLY' | 'GONE'>;
  /** Removes the keys whose tokens have all ended. `nextAtMs`: when the next of those left may go; null when none is left. */
  removeRetired(): Promise<{ readonly nextAtMs: number | null }>;
  /** Of those named, the one that is next. */
  withdrawNext(input: { readonly kids: readonly string[] }): Promise<void>;
  /** Of those named, the ones that sign no more. */
  withdrawRetired(input: { readonly kids: readonly string[] }): Promise<void>;
}
