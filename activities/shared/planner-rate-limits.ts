/**
 * Where the journey planner's processes count requests together: a document for each caller and minute. Callers: the
 * planner, the manifest.
 */
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

/** `_id` is caller and minute. */
export interface CountDocument {
  readonly _id: string;
  readonly used: number;
  readonly expiresAt: Date;
}

export const PLANNER_RATE_LIMITS = new CollectionDefinition<CountDocument>('planner_rate_limits', [
  { name: 'expiry', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
]);
