/** Lists of UUIDs in queries and bodies; the schema `IdLists` of components.yaml describes them. Pure. */
import { plainUuid } from '../../workflows/shared/uuid.ts';

/** Lists of ids, each comma-separated: every id once. However they are written, equal UUIDs are one. */
export function idsOf<Id extends string>(lists: readonly string[]): readonly Id[] {
  return [...new Set(lists.flatMap((list) => list.split(',').map(plainUuid)))] as Id[];
}
