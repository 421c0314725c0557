/** How far each topic has been published to Kafka. Caller: the publisher. */
import type { Connection } from 'mongoose';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { type PositionDocument, PositionStore } from './position-store.ts';

export const KAFKA_POSITIONS = new CollectionDefinition<PositionDocument>('kafka_positions');

export class KafkaPositionStore extends PositionStore {
  constructor(connection: Connection) {
    super(KAFKA_POSITIONS.open(connection));
  }
}
