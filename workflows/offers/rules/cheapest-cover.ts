/**
 * The cheapest tickets of one traveller that cover every ride. Pure.
 *
 * The first ride without a ticket always gets one, so each set of covered rides is looked at once. Tickets for rides in a row
 * lead to one set per ride; tickets with gaps double the sets, so only the few cheapest of those count.
 */
import { sumOf } from '../../shared/money.ts';

export interface Choice {
  readonly offerId: string;
  /** Positions of the rides that it covers, ascending. */
  readonly legIndexes: readonly number[];
  /** Of any unit, as costs are only added up and compared. */
  readonly cost: number;
}

const MOST_WITH_GAPS = 6;

export class CheapestCovers {
  readonly #choices: readonly (Choice & { readonly rides: number })[];
  readonly #all: number;
  /** By the rides that have a ticket already; null where the others cannot be covered. */
  readonly #known = new Map<number, readonly Choice[] | null>();

  /** At most 31 rides. */
  constructor(choices: readonly Choice[], rideCount: number) {
    const inRow = choices.filter((choice) => !hasGap(choice));
    const withGaps = choices.filter(hasGap).toSorted((a, b) => a.cost - b.cost);
    const used = [...inRow, ...withGaps.slice(0, MOST_WITH_GAPS)];
    this.#choices = used.map((choice) => ({ ...choice, rides: ridesOf(choice.legIndexes) }));
    this.#all = 2 ** rideCount - 1;
  }

  /** For the rides that are not `covered`, a set as {@link ridesOf} makes it. Undefined where one cannot be covered. */
  find(covered = 0): { readonly choices: readonly Choice[]; readonly cost: number } | undefined {
    const choices = this.#search(covered);
    return choices ? { choices, cost: costOfAll(choices) } : undefined;
  }

  #search(covered: number): readonly Choice[] | null {
    if (covered === this.#all) return [];
    const known = this.#known.get(covered);
    if (known !== undefined) return known;
    const firstOpen = ~covered & -~covered;
    let best: readonly Choice[] | null = null;
    for (const choice of this.#choices) {
      if ((choice.rides & firstOpen) === 0) continue;
      const rest = this.#search(covered | choice.rides);
      if (rest && (best === null || isBetter([choice, ...rest], best))) best = [choice, ...rest];
    }
    this.#known.set(covered, best);
    return best;
  }
}

/** A set of rides as the bits of a number. */
export function ridesOf(legIndexes: readonly number[]): number {
  return legIndexes.reduce((rides, at) => rides | (1 << at), 0);
}

/** Cheaper, or as cheap with fewer tickets. */
function isBetter(one: readonly Choice[], other: readonly Choice[]): boolean {
  const saved = costOfAll(other) - costOfAll(one);
  return saved > 0 || (saved === 0 && one.length < other.length);
}

function costOfAll(choices: readonly Choice[]): number {
  return sumOf(choices.map(({ cost }) => cost));
}

function hasGap({ legIndexes }: Choice): boolean {
  return legIndexes.some((at, position) => position > 0 && at !== (legIndexes[position - 1] ?? 0) + 1);
}
