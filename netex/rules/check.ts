/**
 * A check watches the single pass over a file for one rule, or for a few that share their work.
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

/** The file under validation, as checks see it. */
export interface RuleRun {
  readonly fileName: string;
  readonly kind: FileKind;
  readonly context: ValidationContext;
  readonly stopRegister: StopRegister | undefined;
  /** Facts of the common files; a model looks there by itself. */
  readonly shared: TimetableFacts | undefined;
  /** Shared: read `high` and `low` before other code hashes again. */
  readonly hasher: IdHasher;
  /** Hashes of the file's ids so far, without those of stops in a SiteFrame. */
  readonly ids: HashSet;
  /** The same for id and version together. */
  readonly versionedIds: HashSet;
  /** In a handler of `start`, for an element with an id: whether an earlier element of the file has the same id. */
  readonly isRepeatedId: boolean;
  /** Whether the file has an element with the id, in any version, so far. */
  hasId(id: string): boolean;
  /** Whether a SiteFrame that the checks skip has the id. */
  hasSiteFrameId(id: string): boolean;
  isInOtherCommonFile(id: string): boolean;
  /**
   * Facts of a stop place or quay come from the stop register, else from SiteFrames of the dataset's common files. Else
   * they come from the file's own, which is complete at `finish`.
   */
  findStop(id: string): StopFacts | undefined;
  /** The message is built only for listed findings. Rules that do not apply to the file are skipped. */
  report(rule: Rule, place: Place, message: () => string): void;
}

export type ElementHandler = (element: OpenElement) => void;

/**
 * The events of one file that a check subscribes to. Handlers copy what they keep: an element is valid only while it
 * is open.
 */
export interface Subscriptions {
  /** By element name, at the start tag: attributes and ancestors are known. */
  readonly start?: Readonly<Record<string, ElementHandler>>;
  /** By element name, at the end tag: the element's own text is complete. */
  readonly end?: Readonly<Record<string, ElementHandler>>;
  /** Every NeTEx element with an id (except Codespace), at its start. */
  readonly identified?: (element: OpenElement, id: string) => void;
  /** Every NeTEx element with a ref, at its start. */
  readonly reference?: (element: OpenElement, ref: string) => void;
  /** Every element with a version, at its start. */
  readonly versioned?: (element: OpenElement, version: string) => void;
  /** The end of the file. */
  readonly finish?: () => void;
}

export interface Check {
  /** The rules it may report. It does not start for a file to which none of them applies. */
  readonly rules: readonly Rule[];
  /** Stops inside a timetable dataset are hidden from checks (SITE_FRAME_IN_…); true shows them all the same. */
  readonly looksIntoSiteFrames?: boolean;
  readonly begin: (run: RuleRun) => Subscriptions;
}
