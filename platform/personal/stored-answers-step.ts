/** Erases the stored answers to idempotent requests about a subject. Callers: manifests. */
import type { StoreBase } from '../area.ts';
import type { ErasureStep } from '../erasure/erasure-step.ts';
import { IdempotencyStore } from '../idempotency/idempotency-store.ts';

export function storedAnswersStep(answers: Pick<IdempotencyStore, 'eraseAnswersOf' | 'hasAnswersOf'>): ErasureStep {
  return {
    name: 'answers',
    erase: (_, subject) => answers.eraseAnswersOf(subject),
    isErased: async (_, subject) => !(await answers.hasAnswersOf(subject)),
  };
}

export function storedAnswersSteps({ mongo }: Pick<StoreBase, 'mongo'>): readonly ErasureStep[] {
  return [storedAnswersStep(new IdempotencyStore(mongo))];
}
