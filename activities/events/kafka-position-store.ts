/**
 * How far each topic has been published to Kafka. Written after the brokers have the events, so a crash between the two
 * publishes events again and leaves out none. Caller: the publisher.
 */
import type { Connection, mongo } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';

interface PositionDocument {
  /** The topic. */
  _id: string;
  offset: number;
}

export const KAFKA_POSITIONS = new CollectionDefinition<PositionDocument>('kafka_positions');

export class KafkaPositionStore {
  readonly #positions: mongo.Collection<PositionDocument>;

  constructor(connection: Connection) {
    this.#positions = KAFKA_POSITIONS.open(connection);
  }

  /** The last published offset; 0 before the first. */
  async find(topic: string): Promise<number> {
    return (await this.#positions.findOne({ _id: topic }))?.offset ?? 0;
  }

  /** False when another publisher has moved it from `from`; then nothing is written. */
  async move(topic: string, from: number, to: number): Promise<boolean> {
    if (from === 0) {
      await this.#positions.updateOne({ _id: topic }, { $setOnInsert: { offset: 0 } }, { upsert: true });
    }
    const { matchedCount } = await this.#positions.updateOne({ _id: topic, offset: from }, { $set: { offset: to } });
    return matchedCount === 1;
  }
}
