/**
 * What a check is: it watches the one pass over a file for one rule, or for a few that share their work.
 *
 * Callers: the files of rules, one per family; `file-run.ts` drives them. A check keeps its state in the closure that
 * `begin` makes for one file; nothing may be kept between files.
 */
import type { HashSet } from '../dataset/hash-set.ts';
import type { IdHasher } from '../dataset/id-hash.ts';
import type { FileKind } from '../finding.ts';
import type { TimetableFacts } from '../model/facts.ts';
import type { StopFacts } from '../stop-register/stop-facts.ts';
import type { StopRegister } from '../stop-register/stop-register.ts';
import type { ValidationContext } from '../validation-context.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Place } from './finding-list.ts';
import type { Rule } from './rule.ts';

/** The file under judgement, as checks see it. */
export interface RuleRun {
  readonly fileName: string;
  readonly kind: FileKind;
  readonly context: ValidationContext;
  readonly stopRegister: StopRegister | undefined;
  /** What the common files say; a model looks there by itself. */
  readonly shared: TimetableFacts | undefined;
  /** Shared: read `high` and `low` before anything else hashes. */
  readonly hasher: IdHasher;
  /** Hashes of the ids of the file so far, those of stops in a SiteFrame left out. */
  readonly ids: HashSet;
  /** The same, of id and version together. */
  readonly versionedIds: HashSet;
  /** In a handler of `start`, of an element with an id: whether another element of the file had it before. */
  readonly isRepeatedId: boolean;
  /** Whether the file has an element with the id, in any version, so far. */
  hasId(id: string): boolean;
  /** Whether a SiteFrame that the checks do not look into has it. */
  hasSiteFrameId(id: string): boolean;
  isInOtherCommonFile(id: string): boolean;
  /**
   * What is known of a stop place or quay: by the stop register, else by SiteFrames of the dataset's common files, else
   * by the file's own, which is complete at `finish`.
   */
  findStop(id: string): StopFacts | undefined;
  /** The message is only made for findings that are listed. Rules that do not apply to the file are passed over. */
  report(rule: Rule, place: Place, message: () => string): void;
}

export type ElementHandler = (element: OpenElement) => void;

/** What a check wants to hear of one file. Handlers copy what they keep: an element lives only while it is open. */
export interface Subscriptions {
  /** By element name, at the start tag: attributes and ancestors are known. */
  readonly start?: Readonly<Record<string, ElementHandler>>;
  /** By element name, at the end tag: the text directly inside is complete. */
  readonly end?: Readonly<Record<string, ElementHandler>>;
  /** Every NeTEx element with an id (but Codespace), at its start. */
  readonly identified?: (element: OpenElement, id: string) => void;
  /** Every NeTEx element with a ref, at its start. */
  readonly reference?: (element: OpenElement, ref: string) => void;
  /** Every element with a version, at its start. */
  readonly versioned?: (element: OpenElement, version: string) => void;
  /** The end of the file. */
  readonly finish?: () => void;
}

export interface Check {
  /** Those it may report. It is not begun for a file where none of them applies. */
  readonly rules: readonly Rule[];
  /** Stops inside a timetable dataset are set aside (SITE_FRAME_IN_…): true to hear of them all the same. */
  readonly looksIntoSiteFrames?: boolean;
  readonly begin: (run: RuleRun) => Subscriptions;
}
