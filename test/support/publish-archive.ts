/** Publishes an archive as the pipeline does, but without its workflow. Callers: tests of later steps. */
import { randomUUID } from 'node:crypto';
import type { ImportRecord, ImportStore } from '../../activities/timetable/import-store.ts';
import { uploadKey } from '../../activities/timetable/object-keys.ts';
import type { ReceiptStore } from '../../activities/timetable/receipt-store.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId, OrganisationId } from '../../workflows/shared/ids.ts';

export interface PublishedArchive {
  readonly codespace: Codespace;
  readonly kind?: 'timetable' | 'stop-register';
  /** Without bytes, the object store has no archive. */
  readonly bytes?: Uint8Array | undefined;
}

export async function publishArchive(
  { imports, receipts, objects }: { imports: ImportStore; receipts: ReceiptStore; objects: ObjectStore },
  { codespace, kind = 'timetable', bytes }: PublishedArchive,
): Promise<ImportRecord> {
  const correlationId = randomUUID() as CorrelationId;
  await receipts.begin({ codespace, correlationId, organisationId: 1 as OrganisationId, clientId: 'test' });
  if (bytes) await objects.put(uploadKey(codespace, correlationId), bytes, 'application/zip');
  const receipt = { fileName: 'a.zip', sizeBytes: bytes?.length ?? 0, sha256: `of ${correlationId}` };
  await receipts.markStored(codespace, correlationId, receipt);
  await receipts.accept(codespace, correlationId);
  const classified = { state: 'OK', details: { kind } } as const;
  await imports.recordAction(codespace, correlationId, 'FILE_CLASSIFICATION', classified);
  await imports.recordAction(codespace, correlationId, 'VALIDATION', { state: 'OK' });
  await imports.publish(codespace, correlationId);
  return await imports.get(codespace, correlationId);
}
