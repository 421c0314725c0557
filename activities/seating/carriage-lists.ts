/**
 * The carriages of a run, read for callers of one process that wait for their turn. In a rush most of them find no seat: each of
 * them may be refused by a read that began after it had asked, and needs none of its own. Nothing is held by such a read alone.
 */
import type { ReservationId } from '../../workflows/shared/ids.ts';
import type { CarriageStore } from './carriage-store.ts';
import type { CarriageDocument } from './seating-model.ts';

/** Seats that are given back are soon seen. */
const SHARED_MS = 1_000;

interface SharedList {
  readonly began: number;
  readonly beganMs: number;
  readonly carriages: readonly CarriageDocument[];
  /** What this process has held on the run since. */
  readonly held: Set<ReservationId>;
}

export class CarriageLists {
  readonly #carriages: Pick<CarriageStore, 'list'>;
  readonly #nowMs: () => number;
  readonly #last = new Map<string, SharedList>();
  #moment = 0;

  constructor(carriages: Pick<CarriageStore, 'list'>, nowMs: () => number = () => performance.now()) {
    this.#carriages = carriages;
    this.#nowMs = nowMs;
  }

  /** A caller asks now: reads that begin from here on may answer it. */
  ask(): number {
    this.#moment += 1;
    return this.#moment;
  }

  async read(runId: string): Promise<readonly CarriageDocument[]> {
    const [began, beganMs] = [this.ask(), this.#nowMs()];
    const carriages = await this.#carriages.list(runId);
    for (const [id, list] of this.#last) if (beganMs - list.beganMs > SHARED_MS) this.#last.delete(id);
    this.#last.set(runId, { began, beganMs, carriages, held: new Set() });
    return carriages;
  }

  /** Undefined where no read began since the caller has asked, or an attempt of the same request has held seats since. */
  findSince(runId: string, asked: number, own: readonly ReservationId[]): readonly CarriageDocument[] | undefined {
    const list = this.#last.get(runId);
    if (!list || list.began < asked || this.#nowMs() - list.beganMs > SHARED_MS) return undefined;
    return own.some((id) => list.held.has(id)) ? undefined : list.carriages;
  }

  /** In the turn of a caller on this run. */
  noteHeld(runId: string, ids: Iterable<ReservationId>): void {
    const held = this.#last.get(runId)?.held;
    for (const id of ids) held?.add(id);
  }
}
