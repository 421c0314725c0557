/** Faults of user types: an age chooses one type at most. Pure; called by catalogue-faults.ts. */
import type { UserType } from '../../workflows/shared/fares.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { duplicates, type Faults, fault, faultsOfEach } from './fault-items.ts';
import type { GivenCatalogue } from './given-catalogue.ts';

interface AgeRange {
  readonly id: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export function* userTypeFaults({ userTypes = [] }: GivenCatalogue): Faults {
  const ranges = userTypes.flatMap(rangeOf);
  const valid = ranges.filter(({ from, to }) => from <= to);
  yield* duplicates(userTypes, ({ id }) => id, '/userTypes', 'id');
  yield* ranges
    .filter(({ from, to }) => from > to)
    .map(({ at, from, to }) => fault(`/userTypes/${at}/maxAge`, 'RANGE', `${to} is below minAge, ${from}`));
  yield* faultsOfEach(valid, (range, index) => overlapOf(range, valid.slice(0, index)));
}

function rangeOf({ id, minAge, maxAge }: UserType, at: number): readonly AgeRange[] {
  if (minAge === undefined && maxAge === undefined) return [];
  return [{ id, at, from: minAge ?? 0, to: maxAge ?? Number.POSITIVE_INFINITY }];
}

/** The first alone, so that there are no more items than user types. */
function overlapOf({ at, id, from, to }: AgeRange, earlier: readonly AgeRange[]): readonly ErrorItem[] {
  const other = earlier.find((each) => each.id !== id && from <= each.to && each.from <= to);
  return other ? [fault(`/userTypes/${at}/minAge`, 'OVERLAP', `its ages are also those of ${other.id}`)] : [];
}
