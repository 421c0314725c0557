/** The answer to an idempotent request as it is stored, and what proves it. */
import type { SubjectId } from '../personal/subject-id.ts';

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sealed with the key of `subject` where that is given. */
  readonly body: Uint8Array;
  /** The person whose data the body holds. */
  readonly subject?: SubjectId;
}

/** Made by answer-mac.ts. */
export interface AnswerMarks {
  readonly mac: string;
  /** Of answers about a person. */
  readonly erasureMac?: string;
}
