/** Input and report of the import of datasets into the planner. Callers: the activity that builds snapshots, dev tools, tests. */
import type { Archive } from '../../../netex/zip/index.ts';
import type { ServiceDay } from '../../../planner/model/indices.ts';
import type { DatasetLimits } from './dataset-limits.ts';

export interface ImportSource {
  readonly codespace: string;
  /**
   * The published original, opened by `openArchive` of netex/zip. It is read three to four times from front to back, one
   * file at a time: a local copy saves requests.
   */
  readonly archive: Archive;
}

export interface ImportRequest {
  /** In any order; they are imported in the order of their codespaces. */
  readonly datasets: readonly ImportSource[];
  /** Storage form of the national stop register, for `StopRegister.open`; undefined: there is none yet. */
  readonly register?: Uint8Array | undefined;
  /**
   * At this instant, stops that are no longer in force are added only where a journey calls; undefined: all are added.
   */
  readonly atMs?: number | undefined;
  /** Journeys without a day from `fromDay` to `toDay`, both included, are left out; undefined: no bound. */
  readonly fromDay?: ServiceDay | undefined;
  readonly toDay?: ServiceDay | undefined;
  /** Limits of each dataset; undefined: the default. */
  readonly limits?: DatasetLimits | undefined;
  /** Checked between chunks of the input; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every file, for heartbeats. */
  readonly progress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportProgress {
  readonly codespace: string;
  readonly fileName: string;
  /** Files read to their end, over all datasets; a file is counted once. */
  readonly filesDone: number;
  readonly filesTotal: number;
}

export interface DatasetImport {
  readonly codespace: string;
  readonly files: number;
  /** Unpacked size. */
  readonly bytes: number;
  /** Number of entities given to the builder, by kind: lines, journeyPatterns, serviceJourneys … */
  readonly counts: Readonly<Record<string, number>>;
}

/** The builder's own report lists rejections (`reject`). */
export interface ImportReport {
  /** In the order of import. */
  readonly datasets: readonly DatasetImport[];
  /** Counts of the register: stopPlaces, quays, tariffZones, transfers. */
  readonly stops: Readonly<Record<string, number>>;
}
