/** Erases the stored answers to idempotent requests that tell of the customer. Caller: area.ts. */
import type { StoreBase } from '../../platform/area.ts';
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';

export function storedAnswersStep(answers: Pick<IdempotencyStore, 'eraseAnswersOf' | 'hasAnswersOf'>): ErasureStep {
  return {
    name: 'answers',
    erase: (_, customerNumber) => answers.eraseAnswersOf(customerNumber),
    isErased: async (_, customerNumber) => !(await answers.hasAnswersOf(customerNumber)),
  };
}

export function storedAnswersSteps({ mongo }: Pick<StoreBase, 'mongo'>): readonly ErasureStep[] {
  return [storedAnswersStep(new IdempotencyStore(mongo))];
}
