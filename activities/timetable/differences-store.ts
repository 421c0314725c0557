/**
 * Reads what a version changes against the one before it. Caller: the handler. Never writes: the pipeline does.
 */
import type { Readable } from 'node:stream';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { differencesKey } from './object-keys.ts';
import { findPacked } from './packed-object.ts';

export interface OpenDifferences {
  readonly stream: Readable;
  /** Strong: they are written once. */
  readonly etag: string;
}

export class DifferencesStore {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Undefined while there are none, and for versions that never get them. */
  async find(
    codespace: Codespace,
    correlationId: CorrelationId,
    signal: AbortSignal,
  ): Promise<OpenDifferences | undefined> {
    const stream = await findPacked(this.#objects, differencesKey(codespace, correlationId), signal);
    return stream && { stream, etag: `"${correlationId}"` };
  }
}
