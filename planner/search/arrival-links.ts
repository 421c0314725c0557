/**
 * Interchanges (constrained transfers) in the first pass. They belong to a trip, so boarding a trip takes all that lie
 * ahead: the trips they lead to are queued for the next round, or for this one if the traveller stays seated. Caller:
 * ArrivalScan.
 */
import type { ArrivalLabels } from './arrival-labels.ts';
import type { Links } from './links.ts';
import type { Query } from './query.ts';

const NOT_TAKEN = 255;

export class ArrivalLinks {
  readonly #query: Query;
  readonly #labels: ArrivalLabels;
  readonly #links: Links;
  /** By interchange and view: fewest rides after which it was taken. */
  #taken = new Uint8Array(0);

  constructor(query: Query, labels: ArrivalLabels, links: Links) {
    this.#query = query;
    this.#labels = labels;
    this.#links = links;
  }

  reset(): void {
    const count = this.#query.direction.links.length * this.#query.days.length;
    if (this.#taken.length < count) this.#taken = new Uint8Array(count);
    this.#taken.fill(NOT_TAKEN);
  }

  /** Latest useful end of a journey that goes on by an interchange. */
  limit(round: number): number {
    return this.#labels.best[this.#query.hasSeated ? round : round + 1] as number;
  }

  /** Takes the interchanges ahead of the first trip that can be boarded and of later ones that may be in time. */
  boardForLinks(
    round: number,
    layer: number,
    trips: Int32Array,
    found: number,
    after: number,
    position: number,
    column: number,
    n: number,
    firstTrip: number,
    view: number,
    dayStart: number,
    left: number,
  ): void {
    const onward = this.limit(round);
    const { linksStart } = this.#query.direction;
    const { sign, boardTimes } = this.#query.direction;
    for (let entry = found; entry !== after; entry += sign) {
      const trip = trips[entry] as number;
      if (linksStart[trip] === linksStart[trip + 1]) continue;
      const time = sign * ((boardTimes[column + (trip - firstTrip) * n] as number) + dayStart);
      if (time + left >= onward || time > this.#query.horizon) return;
      if (this.#query.mayUseTrip(trip, view)) this.#takeLinks(round, layer, trip, position, 0, view, dayStart);
    }
  }

  seedLinks(round: number, layer: number, trips: Int32Array, head: number, view: number, dayStart: number): void {
    const seeds = this.#labels.seeds;
    for (let seed = head; seed >= 0; seed = seeds.next[seed] as number) {
      if (seeds.view[seed] !== view) continue;
      const trip = trips[seeds.entry[seed] as number] as number;
      const inclusive = seeds.inclusive[seed] as number;
      this.#takeLinks(round, layer, trip, seeds.position[seed] as number, inclusive, view, dayStart);
    }
  }

  /**
   * Takes the interchanges of a trip from a position on. An interchange that a later departure took with as few rides
   * is not taken again.
   */
  #takeLinks(
    round: number,
    layer: number,
    trip: number,
    position: number,
    inclusive: number,
    view: number,
    dayStart: number,
  ): void {
    const { direction, layers, days } = this.#query;
    const links = this.#links;
    const end = direction.linksStart[trip + 1] as number;
    for (let entry = direction.linksStart[trip] as number; entry < end; entry++) {
      const link = direction.links[entry] as number;
      if (!links.isUsable(link)) continue;
      const rides = links.isSeated(link) ? round : round + 1;
      if (rides > this.#labels.rounds) continue;
      const from = links.fromPosition(link);
      if (from <= position - inclusive) continue;
      const slot = link * days.length + view;
      if (layers === 1 && (this.#taken[slot] as number) <= round) continue;
      const time = links.timeAtFrom(link, dayStart);
      if (time + links.leftAfter(link) >= (this.#labels.best[rides] as number)) continue;
      if (time > this.#query.horizon || !links.mayAlight(link)) continue;
      if (layers === 1) this.#taken[slot] = round;
      this.#take(layers === 1 ? 0 : links.layerAtFrom(link, position, layer), link, time);
    }
  }

  #take(layer: number, link: number, time: number): void {
    const { direction, transit } = this.#query;
    const links = this.#links;
    const route = transit.tripRoute[direction.linkToTrip[link] as number] as number;
    const queue = links.isSeated(link) ? this.#labels.seated : this.#labels.next;
    const [to, stop, toStop] = [links.toPosition(link), links.fromStop(link), links.toStop(link)];
    links.find(link, time);
    for (let target = 0; target < links.count; target++) {
      const waits = (links.time[target] as number) - time;
      for (let next = layer, wait = 0; wait <= waits; next++) {
        const seed = this.#labels.seeds.add(links.view[target] as number, links.entry[target] as number, to, 0);
        queue.pushSeed(next, route, this.#labels.seeds, seed);
        if (!this.#query.isMetAtTransfer(next, stop, toStop)) break;
        wait += this.#query.viaWait[next] as number;
      }
    }
  }
}
