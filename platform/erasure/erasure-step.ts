/**
 * What an area does when a personal subject is erased: it destroys what its own data tells of that person. Types only.
 *
 * The worker that erases composes the list of the areas' steps. `name` stands in histories: letters only, never changed.
 */
import type { SubjectId } from '../personal/subject-id.ts';

export interface ErasureStep {
  readonly name: string;
  /** May run twice, and two at once. Throws what a retry may cure; it is retried without end. */
  erase(organisationId: number, subject: SubjectId): Promise<void>;
  /** Reads back: false makes all steps run again. */
  isErased(organisationId: number, subject: SubjectId): Promise<boolean>;
}
