/**
 * Input and output of the filter of a dataset. Callers: the export of private datasets, the planner's importer,
 * dev/netex-filter.ts.
 */
import type { Archive } from '../zip/index.ts';

/**
 * `private`: everything with days left, with blocks, dead runs and restricted content. `public`: without these three.
 */
export type FilterMode = 'private' | 'public';

export interface FilterRequest {
  /** A validated timetable dataset. With ERROR or CRITICAL findings, the result may be broken or refused. */
  readonly archive: Archive;
  /** Prefix of the dataset's ids, `ABC`; the file names begin with it. */
  readonly xmlns: string;
  /** The day from which the window is computed, `yyyy-MM-dd`; see `filterWindow`. */
  readonly day: string;
  readonly mode: FilterMode;
  /** Checked between chunks of the input; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Consumes the zip as it is made and resolves when it has all of it. Called once, or not at all for an empty outcome.
 * When making the zip fails, the iteration throws. The sink must then throw too and discard what it received.
 */
export type FilterSink = (zip: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** Why an element is not in the output. The element is an entry of a dataset's lists, such as a Line or a DayType. */
export type DropReason =
  /** The element, its container, or something that it needs is not public. Public mode. */
  | 'restricted'
  /** Vehicle schedules: blocks and dead runs. Public mode. */
  | 'vehicle-schedule'
  /** A kind that the list of entities (`kinds.ts`) does not hold, or one outside the NeTEx namespace. */
  | 'unknown-kind'
  /** It has no day in the window. */
  | 'no-day-left'
  /**
   * A file or timetable frame without any service journey left also drops its dead runs and blocks; a block goes with
   * its journeys.
   */
  | 'no-journey-left'
  /** No kept element refers to it, or its subject was dropped. */
  | 'unreferenced';

export interface FilteredFile {
  readonly name: string;
  /** Name in the original archive. */
  readonly from: string;
  /** Unpacked size. */
  readonly bytes: number;
}

export interface FilterOutcome {
  /** No journey, dead run or block has a day left: nothing was written, and the sink was not called. */
  readonly empty: boolean;
  /** In the order of the zip. */
  readonly files: readonly FilteredFile[];
  /** Original names of the files without kept content. */
  readonly droppedFiles: readonly string[];
  /** Elements by kind; kinds by name. */
  readonly kept: Readonly<Record<string, number>>;
  readonly dropped: Readonly<Record<string, Readonly<Partial<Record<DropReason, number>>>>>;
  /** References removed from kept elements because their target was dropped, by the name of the reference. */
  readonly cutReferences: Readonly<Record<string, number>>;
}
