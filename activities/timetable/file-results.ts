/**
 * Stores the results of single files between the steps, in objects of a few files each. The keys depend only on the
 * places of those files in the manifest. The same files give the same bytes, so writing them twice, or from two workers
 * at once, changes nothing. Two attempts at a batch may group its files differently.
 */

import type { DatasetSource } from '../../netex/dataset/dataset-outcome.ts';
import { decodeFileResult, encodeFileResult, type FileResult } from '../../netex/file-result.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import { readObject } from '../../platform/object-store/read-object.ts';
import type { BatchInput, ManifestInput } from '../../workflows/timetable/activities.ts';
import type { DatasetManifest } from './dataset-manifest.ts';
import { batchResultsPrefix, parseResultGroup, resultGroupKey, resultsPrefix } from './work-keys.ts';

/** An object costs the worker some 6 ms of processor time, as much as a file of 300 kB, so small results share one. */
const GROUP_BYTES = 4 * 1024 * 1024;
/** A killed worker loses at most the results of this time, or of its batch. */
const GROUP_MS = 1_000;

/** Writes the results of one batch. Must not be used by two tasks at once. */
export class ResultWriter {
  readonly #objects: ObjectStore;
  readonly #batch: BatchInput;
  readonly #grouped: boolean;
  #first = 0;
  #results: Uint8Array[] = [];
  #bytes = 0;
  #begunAt = 0;

  /**
   * Without `grouped` every result is written at once, so that the next attempt can identify the file that killed a
   * worker.
   */
  constructor(objects: ObjectStore, batch: BatchInput, { grouped }: { readonly grouped: boolean }) {
    this.#objects = objects;
    this.#batch = batch;
    this.#grouped = grouped;
  }

  /** Places must be ascending. */
  async add(file: number, result: FileResult): Promise<void> {
    if (this.#results.length > 0 && file !== this.#first + this.#results.length) await this.flush();
    if (this.#results.length === 0) {
      this.#first = file;
      this.#begunAt = performance.now();
    }
    const encoded = encodeFileResult(result);
    this.#results.push(encoded);
    this.#bytes += encoded.length;
    const due = this.#bytes >= GROUP_BYTES || performance.now() - this.#begunAt >= GROUP_MS;
    if (due || !this.#grouped) await this.flush();
  }

  /** Writes the remaining results. */
  async flush(): Promise<void> {
    if (this.#results.length === 0) return;
    const group = { first: this.#first, last: this.#first + this.#results.length - 1 };
    const bytes = packGroup(this.#results);
    this.#results = [];
    this.#bytes = 0;
    await this.#objects.put(resultGroupKey(this.#batch, group), bytes, 'application/octet-stream');
  }
}

const LENGTH_BYTES = 4;

/** Lengths of all results, then the results. */
function packGroup(results: readonly Uint8Array[]): Uint8Array {
  const total = results.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(results.length * LENGTH_BYTES + total);
  const view = new DataView(bytes.buffer);
  let at = results.length * LENGTH_BYTES;
  results.forEach((result, index) => {
    view.setUint32(index * LENGTH_BYTES, result.length);
    bytes.set(result, at);
    at += result.length;
  });
  return bytes;
}

function unpackResult(bytes: Uint8Array, index: number, count: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let at = count * LENGTH_BYTES;
  for (let before = 0; before < index; before++) at += view.getUint32(before * LENGTH_BYTES);
  return bytes.subarray(at, at + view.getUint32(index * LENGTH_BYTES));
}

/** Files of the batch that an earlier attempt has finished, by their place in the manifest. */
export async function listFinishedFiles(objects: ObjectStore, batch: BatchInput): Promise<ReadonlySet<number>> {
  const finished = new Set<number>();
  for await (const { key } of objects.list(batchResultsPrefix(batch))) {
    const { first, last } = parseResultGroup(key);
    for (let file = first; file <= last; file++) finished.add(file);
  }
  return finished;
}

/** Groups fetched ahead while the rules work on the present one; each may hold some megabytes of ids. */
const AHEAD = 2;
/** The rules read each result several times. This keeps the results of most datasets in memory after the first time. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** All results of the dataset, in any order and as often as needed; reading one prefetches those after it. */
export async function openResults(
  objects: ObjectStore,
  input: ManifestInput,
  { files }: Pick<DatasetManifest, 'files'>,
  signal?: AbortSignal,
): Promise<DatasetSource> {
  const keys: string[] = [];
  const groupOf = new Map<number, number>();
  for await (const { key } of objects.list(resultsPrefix(input))) {
    const { first, last } = parseResultGroup(key);
    for (let place = first; place <= last; place++) groupOf.set(place, keys.length);
    keys.push(key);
  }
  const placeOf = new Map(files.map(({ name }, place) => [name, place]));
  const groups = new GroupCache((group) => readObject(objects, keys[group] ?? '', signal));
  return {
    files,
    async read(fileName) {
      const place = placeOf.get(fileName);
      const group = place === undefined ? undefined : groupOf.get(place);
      if (place === undefined || group === undefined) throw new RangeError(`${fileName} has no result in this dataset`);
      const bytes = groups.get(group);
      for (let next = group + 1; next <= Math.min(group + AHEAD, keys.length - 1); next++) groups.get(next);
      const { first, last } = parseResultGroup(keys[group] ?? '');
      return decodeFileResult(unpackResult(await bytes, place - first, last - first + 1));
    },
  };
}

/** Keeps results up to the limit, and the last few beyond it. */
class GroupCache {
  readonly #load: (group: number) => Promise<Uint8Array>;
  readonly #kept = new Map<number, Promise<Uint8Array>>();
  readonly #passing = new Map<number, Promise<Uint8Array>>();
  #keptBytes = 0;

  constructor(load: (group: number) => Promise<Uint8Array>) {
    this.#load = load;
  }

  get(group: number): Promise<Uint8Array> {
    const known = this.#kept.get(group) ?? this.#passing.get(group);
    if (known) return known;
    const bytes = this.#load(group).then((loaded) => this.#keep(group, loaded));
    // A reader that awaits it gets the error; without a reader it must not end the process.
    bytes.catch(() => undefined);
    this.#passing.set(group, bytes);
    for (const oldest of this.#passing.keys()) {
      if (this.#passing.size <= 2 * AHEAD) break;
      this.#passing.delete(oldest);
    }
    return bytes;
  }

  #keep(group: number, bytes: Uint8Array): Uint8Array {
    if (this.#keptBytes + bytes.length > KEPT_BYTES) return bytes;
    this.#keptBytes += bytes.length;
    this.#kept.set(group, Promise.resolve(bytes));
    this.#passing.delete(group);
    return bytes;
  }
}
