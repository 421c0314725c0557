/**
 * Everything that a validation needs besides the file. Plain data: it crosses into a worker thread by structured
 * clone.
 *
 * Callers: `validateFile`, `validateDataset`, the pipeline's activities. Never holds a connection or an open file.
 */
import type { FileKind, Severity } from './finding.ts';
import type { PackedEntry } from './zip/packed-entry.ts';

/** The codespace's profile selects rules and severities. */
export type Profile = 'timetable' | 'flex' | 'sweden';

/** `stop-register`: a dataset of SiteFrames alone, the national register of stops. */
export type DatasetKind = 'timetable' | 'stop-register';

export interface ValidationContext {
  /** Id prefix of the codespace, e.g. `RUT`. */
  readonly xmlns: string;
  /** Foreign id prefixes that its ids and references may use, e.g. `NSR`, `PEN`. */
  readonly allowedXmlns: readonly string[];
  readonly profile: Profile;
  /**
   * Ids of the authorities that the organisation register grants the codespace; when absent, authorities are not
   * checked.
   */
  readonly authorities?: readonly string[];
  readonly dataset: DatasetKind;
  /** Id prefix of the national stop register, e.g. `NSR`. */
  readonly stopRegisterXmlns: string;
  /** Severities by code that win over the rule's own and the profile's. */
  readonly severities?: Readonly<Record<string, Severity>>;
  /** Serialised IdIndex of all common files of the dataset; absent when it has none. */
  readonly commonIds?: Uint8Array;
  /** Facts of the common files that line files join to (model/common-facts.ts); absent when there are none. */
  readonly commonFacts?: Uint8Array;
  /** The bytes of the StopRegister; absent when none has been imported yet. */
  readonly stopRegister?: Uint8Array;
  /** The same form for the stops in SiteFrames of the dataset's common files; absent when there are none. */
  readonly datasetStops?: Uint8Array;
}

export interface NetexFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly bytes: Uint8Array;
}

/** The same file still packed, to be unpacked where it is validated. */
export interface PackedNetexFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly packed: PackedEntry;
}

/** Findings listed per rule and file; the count continues beyond. */
export const LISTED_PER_RULE = 50;
/** More findings of the schema are listed: they come from one parser, not from one rule. */
export const LISTED_SCHEMA_ERRORS = 100;
