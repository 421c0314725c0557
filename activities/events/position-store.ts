/**
 * How far each reader of the event log has come. Written after the events are done with, so a crash between the two
 * does them again and leaves out none. Callers: the publisher for Kafka, the subscriptions.
 */
import type { mongo } from 'mongoose';

export interface PositionDocument {
  /** The reader. */
  _id: string;
  offset: number;
}

export class PositionStore {
  readonly #positions: mongo.Collection<PositionDocument>;

  constructor(positions: mongo.Collection<PositionDocument>) {
    this.#positions = positions;
  }

  /** The last offset that is done with; 0 before the first. */
  async find(reader: string): Promise<number> {
    return (await this.#positions.findOne({ _id: reader }))?.offset ?? 0;
  }

  /** False when another process has moved it from `from`; then nothing is written. */
  async move(reader: string, from: number, to: number): Promise<boolean> {
    if (from === 0) {
      await this.#positions.updateOne({ _id: reader }, { $setOnInsert: { offset: 0 } }, { upsert: true });
    }
    const { matchedCount } = await this.#positions.updateOne({ _id: reader, offset: from }, { $set: { offset: to } });
    return matchedCount === 1;
  }
}
