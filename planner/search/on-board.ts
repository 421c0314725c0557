/**
 * The rides under way while one route of one day is scanned: which trip, at what price, boarded where. Of rides in the same
 * trip only the cheapest counts. Between trips an earlier one that is no dearer makes a later one useless, but only where
 * both ride equally long or waiting costs what riding costs, and the later one leads to no interchange.
 */
import { grownFloat64, grownInt32, grownUint8 } from './grown.ts';

export class OnBoard {
  count = 0;
  entry = new Int32Array(64);
  /** Cost less 100 × time: constant while riding. */
  price = new Float64Array(64);
  /** What a later trip's price must be below: price at a point of the trip that is the same for trips of equal shape. */
  level = new Float64Array(64);
  shape = new Int32Array(64);
  boardPosition = new Int32Array(64);
  parent = new Int32Array(64);
  link = new Int32Array(64);
  /** 1: leads to an interchange further on. */
  leads = new Uint8Array(64);

  /** Keeps the ride unless another makes it useless; drops those it makes useless. `anyShape`: waiting costs what riding costs. */
  add(
    entry: number,
    sign: number,
    price: number,
    level: number,
    shape: number,
    leads: 0 | 1,
    anyShape: boolean,
    boardPosition: number,
    parent: number,
    link: number,
  ): boolean {
    for (let ride = 0; ride < this.count; ride++) {
      const ahead = ((this.entry[ride] as number) - entry) * sign;
      if (
        ahead === 0
          ? (this.price[ride] as number) <= price
          : ahead < 0 && leads === 0 && this.#covers(ride, shape, anyShape) && (this.level[ride] as number) <= level
      )
        return false;
    }
    for (let ride = this.count - 1; ride >= 0; ride--) {
      const behind = ((this.entry[ride] as number) - entry) * sign;
      const useless =
        behind === 0 ||
        (behind > 0 &&
          this.leads[ride] === 0 &&
          this.#covers(ride, shape, anyShape) &&
          level <= (this.level[ride] as number));
      if (useless) this.drop(ride);
    }
    if (this.count === this.entry.length) this.#grow();
    const ride = this.count++;
    this.entry[ride] = entry;
    this.price[ride] = price;
    this.level[ride] = level;
    this.shape[ride] = shape;
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
    this.price[ride] = this.price[last] as number;
    this.level[ride] = this.level[last] as number;
    this.shape[ride] = this.shape[last] as number;
    this.leads[ride] = this.leads[last] as number;
    this.boardPosition[ride] = this.boardPosition[last] as number;
    this.parent[ride] = this.parent[last] as number;
    this.link[ride] = this.link[last] as number;
  }

  #covers(ride: number, shape: number, anyShape: boolean): boolean {
    return anyShape || this.shape[ride] === shape;
  }

  #grow(): void {
    const length = this.entry.length * 2;
    this.entry = grownInt32(this.entry, length);
    this.price = grownFloat64(this.price, length);
    this.level = grownFloat64(this.level, length);
    this.shape = grownInt32(this.shape, length);
    this.boardPosition = grownInt32(this.boardPosition, length);
    this.parent = grownInt32(this.parent, length);
    this.link = grownInt32(this.link, length);
    this.leads = grownUint8(this.leads, length);
  }
}
