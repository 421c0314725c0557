/**
 * The index of the newest snapshot's places, built at the first request for it. Meanwhile the previous index answers.
 * Caller: `geocoder.ts`.
 */
import type { Timetable } from '../../../planner/index.ts';
import type { PlannerContext } from '../planner-context.ts';
import { buildShownPlaces, type ShownPlaces } from './shown-places.ts';

/** An index with the snapshot that its numbers refer to. */
export interface Current {
  readonly timetable: Timetable;
  readonly places: ShownPlaces;
}

export class CurrentPlaces {
  readonly #context: Pick<PlannerContext, 'timetable' | 'timetableOf' | 'log'>;
  #ready: ShownPlaces | undefined;
  #building: { readonly snapshotId: string; readonly places: Promise<ShownPlaces> } | undefined;

  constructor(context: Pick<PlannerContext, 'timetable' | 'timetableOf' | 'log'>) {
    this.#context = context;
  }

  /** Undefined while there is no snapshot. */
  async find(): Promise<Current | undefined> {
    const newest = this.#context.timetable();
    if (!newest) return undefined;
    if (this.#ready?.snapshotId === newest.snapshotId) return { timetable: newest, places: this.#ready };
    const building = this.#build(newest);
    const before = this.#ready && this.#context.timetableOf(this.#ready.snapshotId);
    if (this.#ready && before) return { timetable: before, places: this.#ready };
    return { timetable: newest, places: await building };
  }

  #build(timetable: Timetable): Promise<ShownPlaces> {
    const { snapshotId } = timetable;
    if (this.#building?.snapshotId === snapshotId) return this.#building.places;
    const places = buildShownPlaces(timetable);
    this.#building = { snapshotId, places };
    places.then(
      (built) => {
        if (this.#building?.snapshotId !== snapshotId) return;
        this.#ready = built;
        this.#building = undefined;
      },
      (error: unknown) => {
        this.#context.log.error({ err: error }, 'the index of stop places could not be built');
        if (this.#building?.snapshotId === snapshotId) this.#building = undefined;
      },
    );
    return places;
  }
}
