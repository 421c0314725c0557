/** Types of parts.mjs for the tests. */
import type { Progress } from './progress.mjs';
import type { Part } from './resolve.mjs';

type Environment = Readonly<Record<string, string | undefined>>;
type Provider = (part: Part, directory: string, onLine: (line: string) => void, signal?: AbortSignal) => Promise<void>;
export function listMissingParts(parts: readonly Part[], mode: 'start' | 'test', env?: Environment): Promise<Part[]>;
export function providePart(
  part: Part,
  progress: Progress,
  options?: {
    readonly env?: Environment;
    readonly from?: Readonly<Record<string, Provider>>;
    readonly signal?: AbortSignal;
  },
): Promise<void>;
export function explain(part: Part, error: Error): string;
