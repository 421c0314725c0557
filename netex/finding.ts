/** A check's statement about one place of a dataset. All of `netex/` shares these types. */

/** A dataset with no CRITICAL and no ERROR is valid. CRITICAL also ends the reading of that file. */
export type Severity = 'CRITICAL' | 'ERROR' | 'WARNING' | 'INFO';

export interface Finding {
  /** Stable code of the rule, e.g. `NETEX_ID_5`. */
  readonly code: string;
  /** Readable name of the rule. */
  readonly name: string;
  readonly severity: Severity;
  /** States the fault, its place and the expected value; never raw parser text. */
  readonly message: string;
  readonly objectId: string | null;
  readonly fileName: string | null;
  /** From 1; null for findings about the whole file or archive. */
  readonly lineNumber: number | null;
  readonly columnNumber: number | null;
}

/** Common files (name starts with `_`) are shared by all line files of a dataset. */
export type FileKind = 'common' | 'line';
