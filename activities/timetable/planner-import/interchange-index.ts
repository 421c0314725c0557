/**
 * The calls of the journeys of all datasets, so that interchanges between journeys of any two files find their
 * positions. Callers: the import of journeys fills it, importDatasets reads it at the end. It stores hashes and
 * integers only: 12 bytes a journey and its hash, and 8 bytes for each stop of a pattern.
 */
import { HashSet } from '../../../netex/dataset/hash-set.ts';
import { IdHasher } from '../../../netex/dataset/id-hash.ts';
import type { InterchangeEntity } from '../../../netex/entities/entity-types.ts';
import { growingInt32 } from '../../../netex/packed/growing-array.ts';
import type { InterchangeInput, TimetableBuilder } from '../../../planner/build/input.ts';
import type { MappedPattern } from './scope.ts';

const FOR_BOARDING = 1;
const FOR_ALIGHTING = 2;
const PRIORITIES: ReadonlyMap<number, NonNullable<InterchangeInput['priority']>> = new Map([
  [2, 'preferred'],
  [1, 'recommended'],
  [0, 'allowed'],
  [-1, 'notAllowed'],
]);

export class InterchangeIndex {
  readonly #hasher = new IdHasher();
  readonly #journeys = new HashSet();
  readonly #patternOf = growingInt32();
  readonly #points = new HashSet();
  readonly #patternNumbers = new Map<MappedPattern, number>();
  /** First stop of each pattern. */
  readonly #starts = growingInt32();
  readonly #stopPoints = growingInt32();
  readonly #stopFlags = growingInt32();

  /** A journey that was given to the builder. */
  addJourney(journeyId: string, pattern: MappedPattern): void {
    this.#hasher.hash(journeyId);
    if (!this.#journeys.add(this.#hasher.high, this.#hasher.low)) return;
    let number = this.#patternNumbers.get(pattern);
    if (number === undefined) {
      number = this.#starts.length;
      this.#patternNumbers.set(pattern, number);
      this.#starts.push(this.#stopPoints.length);
      for (const { scheduledStopPointRef, forBoarding, forAlighting } of pattern.stops) {
        this.#stopPoints.push(this.#pointNumber(scheduledStopPointRef ?? ''));
        this.#stopFlags.push((forBoarding ? FOR_BOARDING : 0) | (forAlighting ? FOR_ALIGHTING : 0));
      }
    }
    this.#patternOf.push(number);
  }

  /** After a file is done its patterns need not be distinguished by object any more. */
  forgetPatterns(): void {
    this.#patternNumbers.clear();
  }

  give(builder: TimetableBuilder, interchange: InterchangeEntity): void {
    const { id, fromJourneyRef, toJourneyRef } = interchange;
    const from = this.#findJourney(fromJourneyRef);
    const to = this.#findJourney(toJourneyRef);
    if (from === undefined || to === undefined || fromJourneyRef === undefined || toJourneyRef === undefined) {
      builder.reject('interchange', 'a journey is not known or was left out', id);
      return;
    }
    // Defaults: from the last call of the one journey to the first of the other.
    const fromPosition = this.#findPosition(from, interchange.fromPointRef, interchange.fromVisitNumber, true);
    const toPosition = this.#findPosition(to, interchange.toPointRef, interchange.toVisitNumber, false);
    if (fromPosition === undefined || toPosition === undefined) {
      builder.reject('interchange', 'a journey does not call at the stop point', id);
      return;
    }
    builder.addInterchange({
      id,
      fromJourneyId: fromJourneyRef,
      fromPosition,
      toJourneyId: toJourneyRef,
      toPosition,
      guaranteed: interchange.guaranteed,
      staySeated: interchange.staySeated,
      priority: interchange.priority === undefined ? undefined : PRIORITIES.get(interchange.priority),
      maximumWaitSeconds: interchange.maximumWaitSeconds,
    });
  }

  #pointNumber(ref: string): number {
    this.#hasher.hash(ref);
    this.#points.add(this.#hasher.high, this.#hasher.low);
    return this.#points.find(this.#hasher.high, this.#hasher.low);
  }

  /** First and last place of the journey's stops. */
  #findJourney(id: string | undefined): readonly [first: number, end: number] | undefined {
    if (id === undefined) return undefined;
    this.#hasher.hash(id);
    const journey = this.#journeys.find(this.#hasher.high, this.#hasher.low);
    if (journey < 0) return undefined;
    const pattern = this.#patternOf.get(journey);
    const isLast = pattern + 1 === this.#starts.length;
    return [this.#starts.get(pattern), isLast ? this.#stopPoints.length : this.#starts.get(pattern + 1)];
  }

  /** Without a stop point it is the end at which the journeys are joined. */
  #findPosition(
    [first, end]: readonly [number, number],
    pointRef: string | undefined,
    visitNumber: number | undefined,
    isFrom: boolean,
  ): number | undefined {
    if (pointRef === undefined) return isFrom ? end - first - 1 : 0;
    this.#hasher.hash(pointRef);
    const point = this.#points.find(this.#hasher.high, this.#hasher.low);
    if (point < 0) return undefined;
    const calls: number[] = [];
    for (let at = first; at < end; at++) if (this.#stopPoints.get(at) === point) calls.push(at - first);
    if (visitNumber !== undefined && calls[visitNumber - 1] !== undefined) return calls[visitNumber - 1];
    const wanted = isFrom ? FOR_ALIGHTING : FOR_BOARDING;
    const usable = calls.filter((position) => (this.#stopFlags.get(first + position) & wanted) !== 0);
    const candidates = usable.length > 0 ? usable : calls;
    return isFrom ? candidates.at(-1) : candidates[0];
  }
}
