/**
 * Validates one batch of files, whatever happened to earlier attempts at it.
 *
 * It reads one file ahead of the validation and writes results behind it, so the validating core never waits for the
 * object store. When a file kills its worker repeatedly, it gets a finding that says so instead of a validation.
 */
import { log } from '@temporalio/activity';
import type { FileResult } from '../../netex/file-result.ts';
import { ValidationThreadError } from '../../netex/thread/index.ts';
import type { NetexFile, PackedNetexFile, ValidationContext } from '../../netex/validation-context.ts';
import { type Archive, type ArchiveEntry, planReading, readEntry, readPackedEntry } from '../../netex/zip/index.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { BatchInput } from '../../workflows/timetable/activities.ts';
import { listFinishedFiles, ResultWriter } from './file-results.ts';
import type { ImportMaterialSource } from './import-materials.ts';
import { incompleteFile } from './incomplete-file.ts';
import type { StepDeaths } from './step-deaths.ts';

/** Validates one file: a worker thread in production. */
export interface FileValidator {
  validate(file: BatchContent, context: ValidationContext): Promise<FileResult>;
}

/** Small files stay compressed until their validation: unpacked, they would be most of this thread's garbage. */
export type BatchContent = NetexFile | PackedNetexFile;

export interface BatchDependencies {
  readonly objects: ObjectStore;
  readonly materials: ImportMaterialSource;
  readonly validator: FileValidator;
  /** Called for every validated file, for metrics. */
  readonly onFile?: (file: { readonly bytes: number; readonly durationMs: number }) => void;
}

export interface BatchAttempt {
  /** Counts from 1. */
  readonly attempt: number;
  readonly deaths: StepDeaths;
  readonly signal: AbortSignal;
  /** Names the file in progress, for operators. */
  readonly noteProgress: (details: unknown) => void;
}

interface BatchFile {
  readonly place: number;
  readonly entry: ArchiveEntry;
}

/** Larger files are not read ahead, so that memory holds only one of them. */
const READ_AHEAD_BYTES = 32 * 1024 * 1024;

/** Answers the number of files in the batch. */
export async function validateBatch(
  dependencies: BatchDependencies,
  input: BatchInput,
  run: BatchAttempt,
): Promise<number> {
  const { objects, materials } = dependencies;
  const { manifest, archive } = await materials.get(input);
  const batch = manifest.batches[input.batch];
  if (!batch) throw new RangeError(`The manifest has no batch ${input.batch}`);
  const finished = run.attempt > 1 ? await listFinishedFiles(objects, input) : new Set<number>();
  const files = Array.from({ length: batch.files }, (_, index) => batch.firstFile + index)
    .filter((place) => !finished.has(place))
    .map((place) => ({ place, entry: entryAt(archive, place) }));
  const reading = planReading(
    archive,
    files.map(({ entry }) => entry),
  );
  const work = new BatchRun(dependencies, input, run, reading, await materials.getContext(input));
  const [first, ...rest] = files;
  if (first) await work.validateSuspect(first);
  await work.validateAll(rest);
  return batch.files;
}

function entryAt(archive: Archive, place: number): ArchiveEntry {
  const entry = archive.entries[place];
  if (!entry) throw new RangeError(`The archive has no file ${place}`);
  return entry;
}

class BatchRun {
  readonly #dependencies: BatchDependencies;
  readonly #input: BatchInput;
  readonly #run: BatchAttempt;
  readonly #archive: Archive;
  readonly #context: ValidationContext;
  readonly #results: ResultWriter;

  constructor(
    dependencies: BatchDependencies,
    input: BatchInput,
    run: BatchAttempt,
    archive: Archive,
    context: ValidationContext,
  ) {
    this.#dependencies = dependencies;
    this.#input = input;
    this.#run = run;
    this.#archive = archive;
    this.#context = context;
    this.#results = new ResultWriter(dependencies.objects, input, { grouped: run.attempt === 1 });
  }

  /**
   * If the last attempt killed its worker, it did so at the first file without a result: this file is validated apart
   * from the rest.
   */
  async validateSuspect({ place, entry }: BatchFile): Promise<void> {
    await this.#run.deaths.guard(
      { step: `file-${place}`, bytes: entry.bytes },
      async () => this.#results.add(place, await this.#validate(entry, await this.#read(entry))),
      () => this.#results.add(place, incompleteFile(entry, 'ENDED_PROCESS', this.#context)),
    );
  }

  async validateAll(files: readonly BatchFile[]): Promise<void> {
    try {
      await this.#validateEach(files);
    } finally {
      // Also after a failure: the next attempt continues after the written results.
      await this.#results.flush();
    }
  }

  async #validateEach(files: readonly BatchFile[]): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    let next = this.#readAhead(files[0]);
    for (const [index, { place, entry }] of files.entries()) {
      const file = await (next ?? this.#read(entry));
      next = this.#readAhead(files[index + 1]);
      const result = await this.#validate(entry, file);
      await writing;
      writing = this.#results.add(place, result);
      writing.catch(() => undefined);
    }
    await writing;
  }

  #readAhead(file: BatchFile | undefined): Promise<BatchContent> | undefined {
    if (!file || file.entry.bytes > READ_AHEAD_BYTES) return undefined;
    const content = this.#read(file.entry);
    content.catch(() => undefined);
    return content;
  }

  async #read(entry: ArchiveEntry): Promise<BatchContent> {
    const { name, kind } = entry;
    const packed = await readPackedEntry(this.#archive, entry, { signal: this.#run.signal });
    if (packed) return { name, kind, packed };
    return { name, kind, bytes: await readEntry(this.#archive, entry, { signal: this.#run.signal }) };
  }

  async #validate({ name, kind, bytes: sizeBytes }: ArchiveEntry, file: BatchContent): Promise<FileResult> {
    this.#run.signal.throwIfAborted();
    this.#run.noteProgress({ file: name });
    const began = performance.now();
    const result = await this.#check(file, { name, kind, bytes: sizeBytes });
    this.#dependencies.onFile?.({ bytes: sizeBytes, durationMs: performance.now() - began });
    return result;
  }

  /** A rule that throws at one file must not hide the findings of the others. */
  async #check(file: BatchContent, said: Pick<ArchiveEntry, 'name' | 'kind' | 'bytes'>): Promise<FileResult> {
    try {
      return await this.#dependencies.validator.validate(file, this.#context);
    } catch (error) {
      if (!(error instanceof ValidationThreadError) || !error.atFile) throw error;
      log.error('A check broke off at a file', { error, file: said.name, ...this.#input });
      return incompleteFile(said, 'BROKE_OFF', this.#context);
    }
  }
}
