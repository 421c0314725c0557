/** What goes into the filter of a dataset and what comes out. Callers: the export of private datasets, the planner's importer, dev/netex-filter.ts. */
import type { Archive } from '../zip/index.ts';

/** `private`: all that still runs, with blocks, dead runs and restricted content. `public`: without all of these. */
export type FilterMode = 'private' | 'public';

export interface FilterRequest {
  /** A validated timetable dataset: what has ERROR or CRITICAL findings may come out broken or be refused. */
  readonly archive: Archive;
  /** Prefix of the dataset's ids, `ABC`: it opens the names of the files. */
  readonly xmlns: string;
  /** The day that the window is counted from, `yyyy-MM-dd`; see `filterWindow`. */
  readonly day: string;
  readonly mode: FilterMode;
  /** Asked between chunks of the input; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes the zip as it is made and ends when it has all of it. It is called once, or not at all for an empty outcome. When
 * making the zip fails, the iteration throws, and so must the sink: what it took until then is not to be used.
 */
export type FilterSink = (zip: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** Why an element is not in the output. The element itself is one of a dataset's lists, such as a Line or a DayType. */
export type DropReason =
  /** It, what it lies in, or something that it needs is not public. Public mode. */
  | 'restricted'
  /** Vehicle schedules: blocks and dead runs. Public mode. */
  | 'vehicle-schedule'
  /** A kind that the list of entities (`kinds.ts`) does not hold, or outside the NeTEx namespace. */
  | 'unknown-kind'
  /** It runs, applies or lies on no day of the window. */
  | 'no-day-left'
  /** A file or timetable frame without any service journey left takes its dead runs and blocks along; a block goes with its journeys. */
  | 'no-journey-left'
  /** Nothing that is kept refers to it, or what it is about was dropped. */
  | 'unreferenced';

export interface FilteredFile {
  readonly name: string;
  /** Its name in the original archive. */
  readonly from: string;
  /** Unpacked. */
  readonly bytes: number;
}

export interface FilterOutcome {
  /** No journey, dead run or block has a day left: nothing was written, and the sink was not called. */
  readonly empty: boolean;
  /** In the order of the zip. */
  readonly files: readonly FilteredFile[];
  /** Original names of the files of which nothing is left. */
  readonly droppedFiles: readonly string[];
  /** Elements by kind; kinds by name. */
  readonly kept: Readonly<Record<string, number>>;
  readonly dropped: Readonly<Record<string, Readonly<Partial<Record<DropReason, number>>>>>;
  /** References cut out of elements that stay, by the name of the reference: what they named was dropped. */
  readonly cutReferences: Readonly<Record<string, number>>;
}
