/** Opens an uploaded archive where it lies, by ranged reads. Caller: the activities of the pipeline. */
import { type Archive, type ArchiveLimits, openArchive, type RangeReader } from '../../netex/zip/index.ts';
import type { DatasetImportInput } from '../../workflows/timetable/messages.ts';
import { ObjectMissingError, type ObjectStore } from '../shared/object-store.ts';
import { uploadKey } from './object-keys.ts';

/** Throws ArchiveError for what the sender must cure, ObjectMissingError when the archive is gone. */
export async function openStoredArchive(
  objects: ObjectStore,
  { codespace, correlationId }: DatasetImportInput,
  limits: ArchiveLimits,
  signal?: AbortSignal,
): Promise<Archive> {
  const key = uploadKey(codespace, correlationId);
  const object = await objects.head(key, signal);
  if (!object) throw new ObjectMissingError(key);
  const reader: RangeReader = {
    sizeBytes: object.sizeBytes,
    read: (offset, lengthBytes) => objects.getRange(key, offset, lengthBytes, signal),
  };
  return await openArchive(reader, limits);
}
