/**
 * What is stored of one import, from the first byte of its upload to its withdrawal: one document, changed by single
 * conditional writes only.
 *
 * Callers: the stores of this folder. Nothing else knows the collection.
 */
import type { mongo } from 'mongoose';
import type { Severity } from '../../netex/finding.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
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

/** What was made of a version for those that may see all of it: see private-dataset-store.ts. */
export interface PrivateDataset {
  /** Names its object; nothing is stored under it when `empty`. */
  readonly exportId: string;
  /** `yyyy-MM-dd` that it was filtered for. */
  readonly day: string;
  /** Nothing was left to run. */
  readonly empty: boolean;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly shownAt: Date;
}

/**
 * RECEIVING: bytes are arriving, nobody sees it, `leaseUntil` says until when its handler is believed to live.
 * ABANDONED: being removed; nothing can bring it back. The rest are the states that callers see.
 */
export type StoredImportState = 'RECEIVING' | 'ABANDONED' | ImportState;

/** An import as it is stored; members that a later moment adds are optional. */
export interface ImportDocument {
  readonly _id: CorrelationId;
  readonly codespace: Codespace;
  /** Owner of the codespace when the upload began. */
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
  readonly pendingStart?: boolean;
  readonly actions?: Readonly<Partial<Record<ImportAction, ActionRecord>>>;
  readonly findings?: FindingCounts;
  /** True from publication to withdrawal. */
  readonly visible?: boolean;
  readonly publishedAt?: Date;
  readonly withdrawnAt?: Date;
  readonly privateDataset?: PrivateDataset;
  /** The one before, which somebody may still be reading. */
  readonly previousExport?: string;
  /** The last ones given up: they cannot be shown any more, so their objects may go. */
  readonly discardedExports?: readonly string[];
  /** Has become the latest again, so its private dataset may be of an earlier day. */
  readonly refreshWanted?: boolean;
  /** When the archive, the report and the working files may go. */
  readonly purgeAfter?: Date;
  readonly purgedAt?: Date;
  readonly outbox?: readonly OutboxEvent[];
}

/** An accepted import: what everyone but the upload handler sees. */
export interface ImportRecord {
  readonly correlationId: CorrelationId;
  readonly codespace: Codespace;
  readonly organisationId: OrganisationId;
  readonly importKey: ImportKey;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly receivedAt: Date;
  readonly state: ImportState;
  readonly actions: Readonly<Partial<Record<ImportAction, ActionRecord>>>;
  readonly findings: FindingCounts;
  readonly publishedAt: Date | undefined;
  readonly withdrawnAt: Date | undefined;
}

export type ImportCollection = mongo.Collection<ImportDocument>;

const INDEX_OF_IMPORT_KEYS = 'import_key';
const INDEX_OF_ACTIVE_BYTES = 'active_bytes';
export const IMPORT_INDEX = { importKey: INDEX_OF_IMPORT_KEYS, activeBytes: INDEX_OF_ACTIVE_BYTES } as const;

/** Of the versions of a codespace: those that are registers of stops. Told by the classification, which is never undone. */
export const PUBLISHED_STOP_REGISTER = {
  visible: true,
  'actions.FILE_CLASSIFICATION.details.kind': 'stop-register',
} as const;

/** The unique ones are the guards of this area. */
export const IMPORTS = new CollectionDefinition<ImportDocument>('timetable_imports', [
  {
    name: INDEX_OF_IMPORT_KEYS,
    key: { importKey: 1 },
    unique: true,
    partialFilterExpression: { importKey: { $exists: true } },
  },
  {
    name: INDEX_OF_ACTIVE_BYTES,
    key: { codespace: 1, guardSha256: 1 },
    unique: true,
    partialFilterExpression: { guardSha256: { $exists: true } },
  },
  { name: 'newest_first', key: { codespace: 1, receivedAt: -1 } },
  { name: 'versions', key: { codespace: 1, receivedAt: -1 }, partialFilterExpression: { visible: true } },
  { name: 'stop_registers', key: { codespace: 1, receivedAt: -1 }, partialFilterExpression: PUBLISHED_STOP_REGISTER },
  { name: 'pending_starts', key: { receivedAt: 1 }, partialFilterExpression: { pendingStart: true } },
  {
    name: 'in_progress',
    key: { state: 1, receivedAt: 1 },
    partialFilterExpression: { state: 'IN_PROGRESS' },
  },
  { name: 'wanted_refreshes', key: { refreshWanted: 1 }, partialFilterExpression: { refreshWanted: true } },
  { name: 'leases', key: { leaseUntil: 1 }, sparse: true },
  { name: 'purges', key: { purgeAfter: 1 }, sparse: true },
]);

/** Undefined for an upload that was not accepted (yet). */
export function toRecord(document: ImportDocument | null): ImportRecord | undefined {
  const { importKey, receivedAt, fileName, sizeBytes, sha256, state } = document ?? {};
  if (!document || !importKey || !receivedAt || sha256 === undefined || sizeBytes === undefined) return undefined;
  if (state === undefined || state === 'RECEIVING' || state === 'ABANDONED') return undefined;
  return {
    correlationId: document._id,
    codespace: document.codespace,
    organisationId: document.organisationId,
    importKey,
    fileName: fileName ?? `${importKey}.zip`,
    sizeBytes,
    sha256,
    receivedAt,
    state,
    actions: document.actions ?? {},
    findings: document.findings ?? NO_FINDINGS,
    publishedAt: document.publishedAt,
    withdrawnAt: document.withdrawnAt,
  };
}
