/**
 * What a rule is: a row of the catalogue, and a check that watches the one pass over a file.
 *
 * Callers: the files of rules, one per family; `file-run.ts` drives them. A check keeps its state in the closure that
 * `begin` makes for one file; nothing may be kept between files.
 */
import type { FileKind, Severity } from '../finding.ts';
import type { DatasetKind, Profile } from '../validation-context.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { FileRun } from './file-run.ts';

export type RuleStage = '0-intake' | '1-schema' | '2-structure' | '2-ids' | '3-semantic' | '4-dataset' | 'any';
export type RuleScope = FileKind | 'all' | 'archive';

export interface Rule {
  /** Stable: part of the interface. */
  readonly code: string;
  readonly severity: Severity;
  /** For people, a few words. */
  readonly name: string;
  /** One sentence: when it is broken. */
  readonly meaning: string;
  /** Which files it looks at. */
  readonly scope: RuleScope;
  readonly stage: RuleStage;
  readonly profiles: readonly Profile[];
  readonly datasets: readonly DatasetKind[];
  /** A piece of NeTEx, or a sentence, that breaks it. */
  readonly example: string;
  /** What the producer of the data should do. */
  readonly mend: string;
}

export const EVERY_PROFILE: readonly Profile[] = ['timetable', 'flex', 'sweden'];
const EVERY_DATASET: readonly DatasetKind[] = ['timetable', 'stop-register'];

type Defaulted = 'scope' | 'profiles' | 'datasets';

/** A rule of all files, profiles and kinds of dataset unless it says less. */
export function defineRule(rule: Omit<Rule, Defaulted> & Partial<Pick<Rule, Defaulted>>): Rule {
  return { scope: 'all', profiles: EVERY_PROFILE, datasets: EVERY_DATASET, ...rule };
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
  readonly begin: (run: FileRun) => Subscriptions;
}
