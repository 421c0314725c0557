/**
 * An area's step of the erasure of a personal subject: it destroys the area's data about that person. Types only.
 *
 * The worker that erases composes the list of the areas' steps. `name` is part of workflow histories: letters only,
 * never changed.
 */
import type { SubjectId } from '../personal/subject-id.ts';

export interface ErasureStep {
  readonly name: string;
  /** May run twice, and two at once. Throws when a retry may help; it is retried without end. */
  erase(organisationId: number, subject: SubjectId): Promise<void>;
  /** Checks the result by reading: false makes all steps run again. */
  isErased(organisationId: number, subject: SubjectId): Promise<boolean>;
}
