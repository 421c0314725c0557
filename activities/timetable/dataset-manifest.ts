/**
 * The decisions of the classification for all later steps of one import. They fix the order of the files, the batches,
 * the codespace's settings and the stop register at that moment. So a later change cannot make steps of one import
 * disagree.
 *
 * Stored under its own hash: two classifications at once either agree, or the workflow uses the one that answered it.
 */
import { createHash } from 'node:crypto';
import type { FileKind } from '../../netex/finding.ts';
import type { ComparedImport } from '../../netex/report/report-types.ts';
import type { SeverityTable } from '../../netex/rules/severity-settings.ts';
import type { DatasetKind, Profile } from '../../netex/validation-context.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { ManifestInput } from '../../workflows/timetable/activities.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import type { Batch } from '../../workflows/timetable/rules/batches.ts';
import type { StopRegisterVersion } from './stop-register-store.ts';
import { manifestKey } from './work-keys.ts';

export interface ManifestFile {
  readonly name: string;
  readonly kind: FileKind;
  /** Size of the unpacked file. */
  readonly bytes: number;
}

export interface DatasetManifest {
  /** The private archive that this manifest describes, instead of the uploaded one. */
  readonly privateExport?: { readonly exportId: string; readonly day: string };
  /**
   * Receipt of the import, for the report. For a private archive it is the receipt of its upload, on the archive's own
   * day. That day is the "today" of all rules, however late a retry runs.
   */
  readonly receipt: { readonly importKey: string; readonly fileName: string; readonly receivedAt: string };
  readonly dataset: DatasetKind;
  readonly codespace: {
    readonly xmlns: string;
    readonly allowedXmlns: readonly string[];
    readonly profile: Profile;
    readonly authorities?: readonly string[];
  };
  /** Severities that differ from the catalogue, as configured at that moment. */
  readonly severities: SeverityTable;
  /**
   * The codespace's previous import, for the comparison of reports; null for the first, absent in a manifest of an
   * older build.
   */
  readonly previousReport?: ComparedImport | null;
  /** The published stop register that this import refers to; null while there is none, and for a register itself. */
  readonly stopRegister: StopRegisterVersion | null;
  /** Common files first; the order of the archive's entries. */
  readonly files: readonly ManifestFile[];
  readonly batches: readonly Batch[];
}

const HASH_DIGITS = 16;

/** Answers the id: the hash, below the prefix of the import's working files. */
export async function writeManifest(
  objects: ObjectStore,
  input: DatasetImportInput,
  manifest: DatasetManifest,
  place = '',
): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(manifest));
  const manifestId = `${place}${createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS)}`;
  await objects.put(manifestKey({ ...input, manifestId }), bytes, 'application/json');
  return manifestId;
}

export async function readManifest(objects: ObjectStore, input: ManifestInput): Promise<DatasetManifest> {
  return JSON.parse(new TextDecoder().decode(await readObject(objects, manifestKey(input)))) as DatasetManifest;
}
