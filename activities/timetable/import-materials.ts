/**
 * Materials of one import for the activities of the validation queue: manifest, opened archive, ids of common files and of the
 * stop register. All of it is immutable under its key, so a process keeps the last few.
 */
import type { ValidationContext } from '../../netex/validation-context.ts';
import type { Archive, ArchiveLimits } from '../../netex/zip/index.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject, shareBytes } from '../../platform/object-store/read-object.ts';
import type { ManifestInput } from '../../workflows/timetable/activities.ts';
import { type DatasetManifest, readManifest } from './dataset-manifest.ts';
import { readStopRegister } from './stop-register-store.ts';
import { openStoredArchive } from './stored-archive.ts';
import { commonFactsKey, commonIdsKey, commonStopsKey, manifestKey } from './work-keys.ts';

export interface ImportMaterials {
  readonly manifest: DatasetManifest;
  readonly archive: Archive;
  /** Without the facts of common files, which exist from the second step on. */
  readonly context: ValidationContext;
}

export interface MaterialSettings {
  readonly objects: ObjectStore;
  readonly archiveLimits: ArchiveLimits;
  readonly stopRegisterXmlns: string;
}

/** Imports take turns on the queue, so several are kept. Each costs a directory and an index of ids. */
const IMPORTS_KEPT = 4;
/** Running imports may use the older register while a newer one comes into use. */
const REGISTERS_KEPT = 2;

export class ImportMaterialSource {
  readonly #settings: MaterialSettings;
  readonly #imports = new RecentValues<ImportMaterials>(IMPORTS_KEPT);
  readonly #contexts = new RecentValues<ValidationContext>(IMPORTS_KEPT);
  readonly #registers = new RecentValues<Uint8Array>(REGISTERS_KEPT);

  constructor(settings: MaterialSettings) {
    this.#settings = settings;
  }

  async get(input: ManifestInput): Promise<ImportMaterials> {
    return await this.#imports.get(manifestKey(input), () => this.#load(input));
  }

  /**
   * Context for the validation of every file, with ids, facts and stops of the common files. Answers the same object
   * each time, so that the validation thread recognises ids that it has.
   */
  async getContext(input: ManifestInput): Promise<ValidationContext> {
    const key = commonIdsKey(input);
    return await this.#contexts.get(key, async () => {
      const stops = await this.#readShared(commonStopsKey(input));
      return {
        ...(await this.get(input)).context,
        commonIds: await this.#readShared(key),
        commonFacts: await this.#readShared(commonFactsKey(input)),
        ...(stops.length > 0 && { datasetStops: stops }),
      };
    });
  }

  async #load(input: ManifestInput): Promise<ImportMaterials> {
    const { objects, archiveLimits, stopRegisterXmlns } = this.#settings;
    const manifest = await readManifest(objects, input);
    const { dataset, codespace, severities, stopRegister, privateExport } = manifest;
    const archive = await openStoredArchive(
      objects,
      { ...input, ...(privateExport && { privateExport }) },
      archiveLimits,
    );
    const context: ValidationContext = { ...codespace, dataset, severities, stopRegisterXmlns };
    if (stopRegister === null) return { manifest, archive, context };
    const register = await this.#registers.get(stopRegister.correlationId, () =>
      readStopRegister(objects, stopRegister, archiveLimits),
    );
    return { manifest, archive, context: { ...context, stopRegister: register } };
  }

  async #readShared(key: string): Promise<Uint8Array> {
    return shareBytes(await readObject(this.#settings.objects, key));
  }
}

/** Keeps the values used last; loads each key once at a time and forgets loads that fail. */
class RecentValues<T> {
  readonly #limit: number;
  readonly #values = new Map<string, Promise<T>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  async get(key: string, load: () => Promise<T>): Promise<T> {
    const value = this.#values.get(key) ?? load();
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#limit) break;
      this.#values.delete(oldest);
    }
    try {
      return await value;
    } catch (error) {
      if (this.#values.get(key) === value) this.#values.delete(key);
      throw error;
    }
  }
}
