/** Options and indexes of collections as canonical extended JSON. Callers: the copies of documents. */
import mongoose from 'mongoose';

const { EJSON } = mongoose.mongo.BSON;

export function toPlainJson(value: object): Record<string, unknown> {
  return EJSON.serialize(value, { relaxed: false }) as Record<string, unknown>;
}

export function fromPlainJson(value: Record<string, unknown>): Record<string, unknown> {
  return EJSON.deserialize(value, { relaxed: false }) as Record<string, unknown>;
}
