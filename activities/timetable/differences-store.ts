/**
 * Reads what a version changes against the one before it. Caller: the handler. Never writes: the pipeline does.
 */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ObjectMissingError, type ObjectStore } from '../../platform/object-store/object-store.ts';
import type { Codespace, CorrelationId } from '../../workflows/shared/ids.ts';
import { differencesKey } from './object-keys.ts';

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
    try {
      const packed = await this.#objects.get(differencesKey(codespace, correlationId), undefined, signal);
      // Errors of either side reach the reader through the last stream; the callback only keeps them from being thrown.
      return { stream: pipeline(packed, createGunzip(), () => {}), etag: `"${correlationId}"` };
    } catch (error) {
      if (error instanceof ObjectMissingError) return undefined;
      throw error;
    }
  }
}
