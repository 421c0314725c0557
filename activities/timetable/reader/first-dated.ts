/**
 * The journeys of the dated journeys that a list of a day begins with, by service day. Read once for each list of ids,
 * which is that of one catalogue. Caller: snapshot-reads.ts, through the rows.
 */
import type { Connection } from 'mongoose';
import type { FirstJourneys } from '../../shared/timetable.ts';
import { PLANNER_JOURNEYS } from '../planner-journey-store.ts';
import { namesOf } from './journey-runs.ts';
import { KeptPromise } from './kept-promise.ts';

type DatedIds = FirstJourneys['datedServiceJourneyIds'];
type ByDay = Map<number, Set<string>>;

const IDS_AT_ONCE = 1_000;
const NONE: ReadonlySet<string> = new Set();

export class FirstDated {
  readonly #connection: Connection;
  readonly #snapshotId: string;
  readonly #kept = new WeakMap<DatedIds, KeptPromise<ByDay>>();

  constructor(connection: Connection, snapshotId: string) {
    this.#connection = connection;
    this.#snapshotId = snapshotId;
  }

  /** Ids of journeys. */
  async listOn(day: number, ids: DatedIds): Promise<ReadonlySet<string>> {
    if (ids.size === 0) return NONE;
    const kept = this.#kept.get(ids) ?? new KeptPromise(() => this.#read(ids));
    this.#kept.set(ids, kept);
    return (await kept.get()).get(day) ?? NONE;
  }

  async #read(ids: DatedIds): Promise<ByDay> {
    const byDay: ByDay = new Map();
    const add = (day: number, journeyId: string) => {
      const journeys = byDay.get(day) ?? new Set();
      byDay.set(day, journeys.add(journeyId));
    };
    const wanted = [...ids.keys()];
    for (const { own } of wanted.flatMap(namesOf)) if (own) add(own.day, own.journeyId);
    const journeys = PLANNER_JOURNEYS.open(this.#connection);
    for (let at = 0; at < wanted.length; at += IDS_AT_ONCE) {
      const some = new Set(wanted.slice(at, at + IDS_AT_ONCE));
      const filter = { snapshotId: this.#snapshotId, 'dated.id': { $in: [...some] } };
      for await (const { id, dated = [] } of journeys.find(filter, { projection: { _id: 0, id: 1, dated: 1 } })) {
        for (const each of dated) if (some.has(each.id)) add(each.day, id);
      }
    }
    return byDay;
  }
}
