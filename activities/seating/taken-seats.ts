/** The stretches of stored carriages, as the rules read them, and further ones that are about to be held. Pure. */
import type { SeatStretch, TakenCarriages } from '../../workflows/seating/rules/seat-fit.ts';
import { renumbered } from './renumbered.ts';
import type { SeatedRun } from './seated-runs.ts';
import type { CarriageDocument, TakenStretch } from './seating-model.ts';

export class TakenByCarriage {
  readonly #taken = new Map<string, Map<string, SeatStretch[]>>();

  constructor(carriages: readonly CarriageDocument[], run: SeatedRun) {
    for (const carriage of carriages) {
      for (const stretch of renumbered(carriage, run)) this.add(carriage.carriageNumber, stretch);
    }
  }

  get carriages(): TakenCarriages {
    return this.#taken;
  }

  add(carriageNumber: string, { seatNumber, from, to }: Pick<TakenStretch, 'seatNumber' | 'from' | 'to'>): void {
    const seats = this.#taken.get(carriageNumber) ?? new Map<string, SeatStretch[]>();
    this.#taken.set(carriageNumber, seats);
    const stretches = seats.get(seatNumber);
    if (stretches) stretches.push({ from, to });
    else seats.set(seatNumber, [{ from, to }]);
  }
}
