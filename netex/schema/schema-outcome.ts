/** What the schema stage says of a file. Plain data: it crosses threads. */

/** One breach of the schema, or the place where the text stops being XML. */
export interface SchemaDefect {
  /** In plain words: what was found, where, what was expected. */
  readonly message: string;
  /** Id of the element or of the nearest element around it that has one. */
  readonly objectId: string | null;
  /** Of the `<` of the element, both from 1; null when it is about the file as a whole. */
  readonly line: number | null;
  readonly column: number | null;
}

export interface SchemaOutcome {
  /** Folder of the XSDs used, e.g. `1.13`; null when the file could not be read far enough to need one. */
  readonly version: string | null;
  /** False: there is nothing in it to read further. */
  readonly wellFormed: boolean;
  /** The first ones, at most {@link LISTED_DEFECTS}. */
  readonly defects: readonly SchemaDefect[];
  /** All of them. */
  readonly count: number;
  /** What the parser remarks on a text that is XML all the same; at most {@link LISTED_DEFECTS}. */
  readonly warnings: readonly SchemaDefect[];
  /** The count stopped at a limit: there may be more. */
  readonly capped: boolean;
}

export const LISTED_DEFECTS = 100;
