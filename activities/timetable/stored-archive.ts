/** Opens an archive in the object store, by ranged reads. Callers: the activities of the pipeline. */
import { type Archive, type ArchiveLimits, openArchive, type RangeReader } from '../../netex/zip/index.ts';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import type { ArchiveInput } from '../../workflows/timetable/activities.ts';
import { privateDatasetKey, uploadKey } from './object-keys.ts';

/** Throws ArchiveError for faults that the archive's maker must correct, ObjectMissingError when it is missing. */
export async function openStoredArchive(
  objects: ObjectStore,
  { codespace, correlationId, privateExport }: ArchiveInput,
  limits: ArchiveLimits,
  signal?: AbortSignal,
): Promise<Archive> {
  const key = privateExport
    ? privateDatasetKey(codespace, correlationId, privateExport.exportId)
    : uploadKey(codespace, correlationId);
  const object = await objects.head(key, signal);
  if (!object) throw new ObjectMissingError(key);
  const reader: RangeReader = {
    sizeBytes: object.sizeBytes,
    read: (offset, lengthBytes) => objects.getRange(key, offset, lengthBytes, signal),
  };
  return await openArchive(reader, limits);
}
