/**
 * Counts the journey searches of a document: the root fields `trip` and `viaTrip` of its operations, with fragments
 * expanded and each alias counted. It runs once per document, and the result is kept with the document's other figures.
 */
import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';

const SEARCHES: ReadonlySet<string> = new Set(['trip', 'viaTrip']);

/**
 * Returns the number for the named operation; without a name, for the only one. Returns 0 for a name that the document
 * lacks.
 */
export type TripsOf = (operationName: string | undefined) => number;

export function countTrips({ definitions }: DocumentNode): TripsOf {
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
  }
  const known = new Map<string, number>();
  const ofFragment = (name: string): number => {
    let trips = known.get(name);
    if (trips === undefined) {
      // A fragment that contains itself counts as zero, because a guard refuses the document anyway.
      known.set(name, 0);
      const set = fragments.get(name);
      trips = set ? ofSet(set) : 0;
      known.set(name, trips);
    }
    return trips;
  };
  const ofSet = (set: SelectionSetNode): number => {
    let trips = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) trips += SEARCHES.has(selection.name.value) ? 1 : 0;
      else if (selection.kind === Kind.INLINE_FRAGMENT) trips += ofSet(selection.selectionSet);
      else trips += ofFragment(selection.name.value);
    }
    return trips;
  };
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const trips = new Map(operations.map(({ name, selectionSet }) => [name?.value, ofSet(selectionSet)]));
  const only = operations.length === 1 ? [...trips.values()][0] : undefined;
  return (operationName) => (operationName === undefined ? only : trips.get(operationName)) ?? 0;
}
