/**
 * The results of single files between the steps: one object each, under a key that only its place in the manifest
 * decides. The same file gives the same bytes, so writing one twice, or from two workers at once, changes nothing.
 */

import type { DatasetSource } from '../../netex/dataset/dataset-outcome.ts';
import { decodeFileResult, encodeFileResult, type FileResult } from '../../netex/file-result.ts';
import type { BatchInput, ManifestInput } from '../../workflows/timetable/activities.ts';
import type { ObjectStore } from '../shared/object-store.ts';
import { readObject } from '../shared/read-object.ts';
import type { DatasetManifest } from './dataset-manifest.ts';
import { batchResultsPrefix, fileResultKey } from './work-keys.ts';

export async function writeFileResult(
  objects: ObjectStore,
  batch: BatchInput,
  file: number,
  result: FileResult,
): Promise<void> {
  await objects.put(fileResultKey(batch, file), encodeFileResult(result), 'application/octet-stream');
}

/** Files of the batch that an earlier attempt has finished, by their place in the manifest. */
export async function listFinishedFiles(objects: ObjectStore, batch: BatchInput): Promise<ReadonlySet<number>> {
  const prefix = batchResultsPrefix(batch);
  const finished = new Set<number>();
  for await (const { key } of objects.list(prefix)) finished.add(Number(key.slice(prefix.length)));
  return finished;
}

/** Results fetched ahead while the rules work on the present one; each may hold some megabytes of ids. */
const AHEAD = 4;
/** The rules read each result a few times over: those of most datasets stay in memory from the first time. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** All results of the dataset, in any order and as often as asked; those that follow the one asked for come ahead. */
export function openResults(
  objects: ObjectStore,
  input: ManifestInput,
  { files, batches }: DatasetManifest,
  signal?: AbortSignal,
): DatasetSource {
  const keys = batches.flatMap(({ firstFile, files: count }, batch) =>
    Array.from({ length: count }, (_, place) => fileResultKey({ ...input, batch }, firstFile + place)),
  );
  const placeOf = new Map(files.map(({ name }, place) => [name, place]));
  const results = new ResultCache((place) => readObject(objects, keys[place] ?? '', signal));
  return {
    files,
    async read(fileName) {
      const place = placeOf.get(fileName);
      if (place === undefined) throw new RangeError(`${fileName} is no file of this dataset`);
      const bytes = results.get(place);
      for (let next = place + 1; next <= Math.min(place + AHEAD, keys.length - 1); next++) results.get(next);
      return decodeFileResult(await bytes);
    },
  };
}

/** Keeps what fits, and of the rest the last few. */
class ResultCache {
  readonly #load: (place: number) => Promise<Uint8Array>;
  readonly #kept = new Map<number, Promise<Uint8Array>>();
  readonly #passing = new Map<number, Promise<Uint8Array>>();
  #keptBytes = 0;

  constructor(load: (place: number) => Promise<Uint8Array>) {
    this.#load = load;
  }

  get(place: number): Promise<Uint8Array> {
    const known = this.#kept.get(place) ?? this.#passing.get(place);
    if (known) return known;
    const bytes = this.#load(place).then((loaded) => this.#keep(place, loaded));
    // Whoever awaits it hears of a failure; one fetched in vain must not end the process.
    bytes.catch(() => undefined);
    this.#passing.set(place, bytes);
    for (const oldest of this.#passing.keys()) {
      if (this.#passing.size <= 2 * AHEAD) break;
      this.#passing.delete(oldest);
    }
    return bytes;
  }

  #keep(place: number, bytes: Uint8Array): Uint8Array {
    if (this.#keptBytes + bytes.length > KEPT_BYTES) return bytes;
    this.#keptBytes += bytes.length;
    this.#kept.set(place, Promise.resolve(bytes));
    this.#passing.delete(place);
    return bytes;
  }
}
