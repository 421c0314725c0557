/**
 * The stop register in the format for references from other datasets. It is made when a register is published, and
 * again from its archive when a newer release reads another format.
 *
 * Callers: the activity indexStopRegister; the materials of an import (import-materials.ts). Key and bytes depend only
 * on the archive, its receipt and the format, so two that make it at once write the same.
 */
import { BlockFormatError } from '../../netex/stop-register/packed-block.ts';
import { StopRegister } from '../../netex/stop-register/stop-register.ts';
import { StopRegisterReader } from '../../netex/stop-register/stop-register-reader.ts';
import { type Archive, ArchiveError, type ArchiveLimits, streamEntry } from '../../netex/zip/index.ts';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject, shareBytes } from '../../platform/object-store/read-object.ts';
import { usableMemoryBytes } from '../../platform/process/usable-memory.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { giveUp } from './activity-guard.ts';
import { stopRegisterKey } from './object-keys.ts';
import { openStoredArchive } from './stored-archive.ts';
import { givesUpAtBytes, guardMemory } from './validation-memory.ts';

/** A published stop register. */
export interface StopRegisterVersion {
  readonly codespace: Codespace;
  readonly correlationId: CorrelationId;
  /** The versions of its stops are chosen at this instant. */
  readonly receivedAt: string;
}

/** Reads the whole archive and stores the register; answers its bytes. */
export async function writeStopRegister(
  objects: ObjectStore,
  { correlationId, receivedAt }: StopRegisterVersion,
  archive: Archive,
  {
    signal,
    processBytes = Number.POSITIVE_INFINITY,
  }: { readonly signal?: AbortSignal; readonly processBytes?: number } = {},
): Promise<Uint8Array> {
  const register = new StopRegisterReader(Date.parse(receivedAt));
  const guarded = guardMemory(processBytes);
  for (const entry of archive.entries) {
    const chunks = streamEntry(archive, entry, signal === undefined ? {} : { signal });
    await register.addStream(guarded(chunks, entry));
  }
  const { bytes } = register.build();
  await objects.put(stopRegisterKey(correlationId), bytes, 'application/octet-stream', signal);
  return bytes;
}

/**
 * In memory that threads share. Gives up when neither the register nor its archive can be read: an operator must
 * publish it again.
 */
export async function readStopRegister(
  objects: ObjectStore,
  version: StopRegisterVersion,
  limits: ArchiveLimits,
): Promise<Uint8Array> {
  const stored = await findStored(objects, version);
  return shareBytes(stored ?? (await makeAnew(objects, version, limits)));
}

/** Undefined when there is none in the present format. */
async function findStored(
  objects: ObjectStore,
  { correlationId }: StopRegisterVersion,
): Promise<Uint8Array | undefined> {
  try {
    return StopRegister.open(await readObject(objects, stopRegisterKey(correlationId))).bytes;
  } catch (error) {
    if (error instanceof ObjectMissingError || error instanceof BlockFormatError) return undefined;
    throw error;
  }
}

async function makeAnew(
  objects: ObjectStore,
  version: StopRegisterVersion,
  limits: ArchiveLimits,
): Promise<Uint8Array> {
  try {
    const processBytes = givesUpAtBytes(usableMemoryBytes());
    return await writeStopRegister(objects, version, await openStoredArchive(objects, version, limits), {
      processBytes,
    });
  } catch (error) {
    if (!(error instanceof ArchiveError || error instanceof ObjectMissingError)) throw error;
    // The error is not meant for the sender of the dataset, who cannot act on it.
    throw giveUp(
      `the stop register ${version.correlationId} is stored in no form that can be read: ${error.message}`,
      error,
    );
  }
}
