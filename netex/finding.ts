/** What a check says about one place of a dataset. The vocabulary that all of `netex/` shares. */

/** A dataset is valid when it has no CRITICAL and no ERROR. CRITICAL also ends the reading of that file. */
export type Severity = 'CRITICAL' | 'ERROR' | 'WARNING' | 'INFO';

export interface Finding {
  /** Stable code of the rule, e.g. `NETEX_ID_5`. */
  readonly code: string;
  /** The rule's name for people. */
  readonly name: string;
  readonly severity: Severity;
  /** What is wrong, where, what was expected; never raw parser text. */
  readonly message: string;
  readonly objectId: string | null;
  readonly fileName: string | null;
  /** From 1; null when the finding is about the whole file or archive. */
  readonly lineNumber: number | null;
  readonly columnNumber: number | null;
}

/** Common files (name starts with `_`) are shared by all line files of a dataset. */
export type FileKind = 'common' | 'line';
