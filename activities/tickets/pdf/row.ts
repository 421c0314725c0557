/** Rows of the lists of a ticket: they know their height before they are drawn. Types only. */

/** One item of a list, or several that stand beside each other. */
export interface Row {
  readonly height: number;
  readonly draw: (top: number) => void;
}

/** Where a row stands, and how large its texts are. */
export interface RowPlace {
  readonly x: number;
  readonly width: number;
  readonly scale: number;
}
