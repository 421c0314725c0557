/**
 * The document of one import, from the first byte of its upload to its withdrawal, and its collection.
 *
 * Callers: the stores of this folder. Nothing else knows the collection. Every write is one conditional update that
 * raises the revision. Several activities write steps of one import at once, so steps are written without reading
 * (`conditionalPipeline`). Their condition decides; another try after a lost race would decide the same. Only the
 * publication rests on what was read and writes an event; it goes through the aggregate kit's `change`.
 */
import type { mongo } from 'mongoose';
import type { Severity } from '../../netex/finding.ts';
import { type AggregateDocument, PENDING_STARTS } from '../../platform/aggregate/aggregate-document.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import type { Codespace, CorrelationId, ImportKey, OrganisationId } from '../../workflows/shared/ids.ts';
import type { ImportAction, ImportActionState, ImportState } from '../../workflows/timetable/messages.ts';

/** How long the bytes of a withdrawn version, or of an import that failed, are kept. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export type FindingCounts = Readonly<Record<Severity, number>>;
export const NO_FINDINGS: FindingCounts = { CRITICAL: 0, ERROR: 0, WARNING: 0, INFO: 0 };

/** Shown to callers: plain words, ids, numbers; no personal data. */
export type ActionDetails = Readonly<Record<string, unknown>>;

export interface ActionRecord {
  readonly state: ImportActionState;
  readonly startedAt: Date;
  /** Absent while the step is pending or running. */
  readonly endedAt?: Date;
  readonly errorCode?: string;
  readonly details?: ActionDetails;
}

/** A version filtered for callers that may read all of it: see private-dataset-store.ts. */
export interface PrivateDataset {
  /** Names its object; nothing is stored under it when `empty`. */
  readonly exportId: string;
  /** Service day that it was filtered for, `yyyy-MM-dd`. */
  readonly day: string;
  /** True when no journey was left. */
  readonly empty: boolean;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly shownAt: Date;
}

/**
 * RECEIVING: bytes are arriving, no caller sees it, and its handler is taken for dead after `leaseUntil`.
 * ABANDONED: being removed; nothing leads back. The rest are the states that callers see.
 */
export type StoredImportState = 'RECEIVING' | 'ABANDONED' | ImportState;

/** Members that are added later are optional. An import has no work ids: each write removes its own condition. */
export interface ImportDocument extends AggregateDocument {
  readonly _id: CorrelationId;
  readonly codespace: Codespace;
  /** Owner of the codespace at the beginning of the upload. */
  readonly organisationId: OrganisationId;
  readonly clientId: string;
  readonly state: StoredImportState;
  readonly beganAt: Date;
  readonly leaseUntil?: Date;
  readonly fileName?: string;
  readonly sizeBytes?: number;
  /** Lower-case hexadecimal; present once the archive is stored whole. */
  readonly sha256?: string;
  readonly receivedAt?: Date;
  readonly importKey?: ImportKey;
  /** Held while in progress or latest; unique within the codespace, so the same bytes are refused. */
  readonly guardSha256?: string;
  readonly actions?: Readonly<Partial<Record<ImportAction, ActionRecord>>>;
  readonly findings?: FindingCounts;
  /** True from publication to withdrawal. */
  readonly visible?: boolean;
  readonly publishedAt?: Date;
  readonly withdrawnAt?: Date;
  readonly privateDataset?: PrivateDataset;
  /** The dataset shown before: downloads of it may still run. */
  readonly previousExport?: string;
  /** The last discarded exports: they are never shown, so their objects may be deleted. */
  readonly discardedExports?: readonly string[];
  /** A withdrawal has made it the latest again: its private dataset may be of an earlier day. */
  readonly refreshWanted?: boolean;
  /** When the archive, the report and the working files may be deleted. */
  readonly purgeAfter?: Date;
  readonly purgedAt?: Date;
}

export type ImportCollection = mongo.Collection<ImportDocument>;

export const IMPORT_INDEX = { importKey: 'import_key', activeBytes: 'active_bytes' } as const;

/** Published stop registers. The classification decides the kind, and is never undone. */
export const PUBLISHED_STOP_REGISTER = {
  visible: true,
  'actions.FILE_CLASSIFICATION.details.kind': 'stop-register',
} as const;

/** The unique indexes are the guards of this area. */
export const IMPORTS = new CollectionDefinition<ImportDocument>('timetable_imports', [
  {
    name: IMPORT_INDEX.importKey,
    key: { importKey: 1 },
    unique: true,
    partialFilterExpression: { importKey: { $exists: true } },
  },
  {
    name: IMPORT_INDEX.activeBytes,
    key: { codespace: 1, guardSha256: 1 },
    unique: true,
    partialFilterExpression: { guardSha256: { $exists: true } },
  },
  { name: 'newest_first', key: { codespace: 1, receivedAt: -1 } },
  { name: 'versions', key: { codespace: 1, receivedAt: -1 }, partialFilterExpression: { visible: true } },
  { name: 'stop_registers', key: { codespace: 1, receivedAt: -1 }, partialFilterExpression: PUBLISHED_STOP_REGISTER },
  // It has its own name: databases from before the kit have another index of the kit's name.
  { ...PENDING_STARTS, name: 'pending_since' },
  {
    name: 'in_progress',
    key: { state: 1, receivedAt: 1 },
    partialFilterExpression: { state: 'IN_PROGRESS' },
  },
  { name: 'wanted_refreshes', key: { refreshWanted: 1 }, partialFilterExpression: { refreshWanted: true } },
  { name: 'leases', key: { leaseUntil: 1 }, sparse: true },
  { name: 'purges', key: { purgeAfter: 1 }, sparse: true },
]);
