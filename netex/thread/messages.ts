/** Messages between the validation thread and its owner. Plain data. */
import type { NetexFile, PackedNetexFile, ValidationContext } from '../validation-context.ts';
import type { ArchiveErrorCode } from '../zip/archive-error.ts';

export interface ThreadOptions {
  readonly xsdDirectory: string;
  /** See SchemaSetOptions. */
  readonly imageDirectory: string | undefined;
  /** Versions to compile before the first file. */
  readonly warmUp: readonly string[];
}

export interface FileRequest {
  readonly file: NetexFile | PackedNetexFile;
  /** Left out when equal to that of the previous request: indexes of ids are large. */
  readonly context?: ValidationContext;
}

export type ThreadMessage =
  | { readonly type: 'ready' }
  /** A schema is being compiled, which is not the file's fault: the time does not count. */
  | { readonly type: 'compiling' | 'compiled'; readonly version: string }
  /** The encoded result: as objects, its findings would cost both sides more than some files take to validate. */
  | { readonly type: 'result'; readonly encoded: Uint8Array; readonly schemaMemoryBytes: number }
  /** The packed file does not match its archive's directory. */
  | { readonly type: 'refused'; readonly code: ArchiveErrorCode; readonly message: string; readonly entryName?: string }
  | { readonly type: 'failed'; readonly message: string; readonly outOfMemory: boolean };
