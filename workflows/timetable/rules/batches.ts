/** Cuts the files of a dataset into batches of about equal work. Pure; the manifest stores the outcome. */

/** A run of files, by their place in the archive's order. */
export interface Batch {
  readonly firstFile: number;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Small enough that a killed worker loses little more than a second of work and that progress is seen. Large enough
 * that handing a batch to a worker (some 50 ms in all) is a small part of it.
 */
export const BATCH_BYTES = 32 * 1024 * 1024;
/** Bounds the time of a batch of many tiny files. */
export const BATCH_FILES = 200;

/** Batches keep the given order and are never empty; a file larger than the limit is a batch of its own. */
export function planBatches(
  fileBytes: readonly number[],
  limits = { bytes: BATCH_BYTES, files: BATCH_FILES },
): Batch[] {
  const batches: Batch[] = [];
  let current: Batch | undefined;
  fileBytes.forEach((bytes, index) => {
    if (current && current.files < limits.files && current.bytes + bytes <= limits.bytes) {
      current = { ...current, files: current.files + 1, bytes: current.bytes + bytes };
      batches[batches.length - 1] = current;
    } else {
      current = { firstFile: index, files: 1, bytes };
      batches.push(current);
    }
  });
  return batches;
}
