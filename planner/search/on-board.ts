/**
 * Rides in progress during the scan of one route on one day: trip, relative cost, boarding position. Of several rides
 * in one trip, the cheapest counts.
 *
 * An earlier trip of no higher cost dominates a later one under two conditions. Both have the same time-demand type, or
 * waiting costs as much as riding. And the later trip leads to no interchange.
 */
import { grownFloat64, grownInt32, grownUint8 } from './grown.ts';

export class OnBoard {
  count = 0;
  entry = new Int32Array(64);
  /** Cost less 100 × time: constant while riding. */
  relativeCost = new Float64Array(64);
  /** Relative cost at a point that trips of one time-demand type share. A later trip must be below it. */
  level = new Float64Array(64);
  timeDemandType = new Int32Array(64);
  boardPosition = new Int32Array(64);
  parent = new Int32Array(64);
  link = new Int32Array(64);
  /** 1: leads to an interchange at a later position. */
  leads = new Uint8Array(64);

  /** Adds the ride unless another dominates it; drops those it dominates. `anyType`: waiting costs as much as riding. */
  add(
    entry: number,
    sign: number,
    relativeCost: number,
    level: number,
    timeDemandType: number,
    leads: 0 | 1,
    anyType: boolean,
    boardPosition: number,
    parent: number,
    link: number,
  ): boolean {
    for (let ride = 0; ride < this.count; ride++) {
      const ahead = ((this.entry[ride] as number) - entry) * sign;
      if (
        ahead === 0
          ? (this.relativeCost[ride] as number) <= relativeCost
          : ahead < 0 &&
            leads === 0 &&
            this.#covers(ride, timeDemandType, anyType) &&
            (this.level[ride] as number) <= level
      )
        return false;
    }
    for (let ride = this.count - 1; ride >= 0; ride--) {
      const behind = ((this.entry[ride] as number) - entry) * sign;
      const useless =
        behind === 0 ||
        (behind > 0 &&
          this.leads[ride] === 0 &&
          this.#covers(ride, timeDemandType, anyType) &&
          level <= (this.level[ride] as number));
      if (useless) this.drop(ride);
    }
    if (this.count === this.entry.length) this.#grow();
    const ride = this.count++;
    this.entry[ride] = entry;
    this.relativeCost[ride] = relativeCost;
    this.level[ride] = level;
    this.timeDemandType[ride] = timeDemandType;
    this.leads[ride] = leads;
    this.boardPosition[ride] = boardPosition;
    this.parent[ride] = parent;
    this.link[ride] = link;
    return true;
  }

  drop(ride: number): void {
    const last = --this.count;
    if (ride === last) return;
    this.entry[ride] = this.entry[last] as number;
    this.relativeCost[ride] = this.relativeCost[last] as number;
    this.level[ride] = this.level[last] as number;
    this.timeDemandType[ride] = this.timeDemandType[last] as number;
    this.leads[ride] = this.leads[last] as number;
    this.boardPosition[ride] = this.boardPosition[last] as number;
    this.parent[ride] = this.parent[last] as number;
    this.link[ride] = this.link[last] as number;
  }

  #covers(ride: number, timeDemandType: number, anyType: boolean): boolean {
    return anyType || this.timeDemandType[ride] === timeDemandType;
  }

  #grow(): void {
    const length = this.entry.length * 2;
    this.entry = grownInt32(this.entry, length);
    this.relativeCost = grownFloat64(this.relativeCost, length);
    this.level = grownFloat64(this.level, length);
    this.timeDemandType = grownInt32(this.timeDemandType, length);
    this.boardPosition = grownInt32(this.boardPosition, length);
    this.parent = grownInt32(this.parent, length);
    this.link = grownInt32(this.link, length);
    this.leads = grownUint8(this.leads, length);
  }
}
