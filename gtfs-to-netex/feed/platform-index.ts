/**
 * Finds the platform that a stop time refers to; a boarding area leads to its platform. Some feeds wrongly refer to
 * stations: the station is then its own platform. Callers: readers of stop times and transfers.
 */
import type { ChangeLog } from './change-log.ts';
import { BOARDING_AREA, PLATFORM, STATION, type Stop } from './feed.ts';

export class PlatformIndex {
  readonly #stops: readonly Stop[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #changes: ChangeLog;
  /** Indexes of stations that trips call at. */
  readonly stationsUsed = new Set<number>();

  constructor(stops: readonly Stop[], changes: ChangeLog) {
    this.#stops = stops;
    this.#numbers = new Map(stops.map(({ id }, index) => [id, index]));
    this.#changes = changes;
  }

  /** Finds any stop; −1 when unknown. */
  findStop(id: string): number {
    return this.#numbers.get(id) ?? -1;
  }

  /** Whether the position of the stop, or of its station, is known. */
  isPlaced(number: number): boolean {
    const stop = this.#stops[number];
    const parent = this.#stops[this.findStop(stop?.parentId ?? '')];
    return [stop, parent].some((one) => one !== undefined && !Number.isNaN(one.latitude));
  }

  /** −1 when the stop is not for boarding. */
  find(id: string): number {
    const number = this.findStop(id);
    const stop = this.#stops[number];
    if (!stop) return -1;
    if (stop.kind === PLATFORM) return number;
    if (stop.kind === BOARDING_AREA) return this.#platformOf(stop);
    if (stop.kind !== STATION) return -1;
    if (!this.stationsUsed.has(number)) {
      this.stationsUsed.add(number);
      this.#changes.note('stations that trips call at: each has a platform of its own for that', id);
    }
    return number;
  }

  #platformOf(area: Stop): number {
    const platform = this.findStop(area.parentId ?? '');
    return this.#stops[platform]?.kind === PLATFORM ? platform : -1;
  }
}
