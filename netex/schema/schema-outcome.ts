/** Result of the schema stage for a file. Plain data: it crosses threads. */

/** One breach of the schema, or the place where the text stops being XML. */
export interface SchemaDefect {
  /** In plain words: what was found, where, what was expected. */
  readonly message: string;
  /** Id of the element, or of its nearest ancestor with one. */
  readonly objectId: string | null;
  /** Position of the element's `<`, both from 1; null when the defect is about the whole file. */
  readonly line: number | null;
  readonly column: number | null;
}

export interface SchemaOutcome {
  /** Folder of the XSDs used, e.g. `1.13`; null when the file could not be read far enough to need one. */
  readonly version: string | null;
  /** False when the file has nothing further to read. */
  readonly wellFormed: boolean;
  /** The first ones, at most {@link LISTED_DEFECTS}. */
  readonly defects: readonly SchemaDefect[];
  /** Number of all defects. */
  readonly count: number;
  /** The parser's remarks on valid XML; at most {@link LISTED_DEFECTS}. */
  readonly warnings: readonly SchemaDefect[];
  /** The count stopped at a limit: there may be more. */
  readonly capped: boolean;
}

export const LISTED_DEFECTS = 100;
