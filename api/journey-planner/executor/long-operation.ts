/**
 * Finds operations that are too long for graphql-jit. With 2,000 fields it blocks the event loop for some 95 ms, and a
 * caller may send a new query each time. The longest query of a known client has 715 fields: interpreted it takes 5 ms
 * instead of 3. All others have at most 315. Caller: `execute.ts`.
 */
import type { DocumentNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { fragmentsOf } from '../guards/check-document.ts';
import { fieldsOf } from '../guards/check-introspection.ts';

/** Limit with fragments expanded. Compiling then takes some 14 ms. */
export const MOST_COMPILED_FIELDS = 320;

/** The document has passed the guards, which bound this walk. */
export function isTooLongToCompile(document: DocumentNode, { selectionSet }: OperationDefinitionNode): boolean {
  const fragments = fragmentsOf(document);
  let fields = 0;
  const isTooLong = (set: SelectionSetNode): boolean => {
    for (const field of fieldsOf(set, fragments)) {
      fields += 1;
      if (fields > MOST_COMPILED_FIELDS || (field.selectionSet && isTooLong(field.selectionSet))) return true;
    }
    return false;
  };
  return isTooLong(selectionSet);
}
