/** Erases the stored answers to idempotent requests that tell of the customer. Composed in `workers/sales-customers.ts`. */
import type { ErasureStep } from '../../platform/erasure/erasure-step.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';

export function storedAnswersStep(answers: Pick<IdempotencyStore, 'eraseAnswersOf' | 'hasAnswersOf'>): ErasureStep {
  return {
    name: 'answers',
    erase: (_, customerNumber) => answers.eraseAnswersOf(customerNumber),
    isErased: async (_, customerNumber) => !(await answers.hasAnswersOf(customerNumber)),
  };
}
