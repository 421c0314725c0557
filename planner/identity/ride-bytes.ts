/** Converts named rides, and the id of their snapshot, to the bytes that ids carry, and back. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ServiceDay } from '../model/indices.ts';
import { ByteReader, ByteWriter } from './byte-text.ts';
import type { NamedRide } from './named-ride.ts';

export interface RidesOfSnapshot {
  /** The first characters of the snapshot's id. */
  readonly snapshot: string;
  readonly rides: readonly NamedRide[];
}

const SNAPSHOT_CHARACTERS = 12;
const PLAIN = 0;
const PACKED = 1;
/** A valid id of 500 characters unpacks to less than this. Longer content is rejected. */
const MAXIMUM_UNPACKED_BYTES = 4_096;
const MAXIMUM_RIDES = 64;

/** With `isTight` the result is smaller, at many times the cost. */
export function encodeRides(snapshotId: string, rides: readonly NamedRide[], isTight: boolean): Uint8Array {
  const writer = new ByteWriter();
  writer.text(snapshotId.slice(0, SNAPSHOT_CHARACTERS), '');
  let before: NamedRide | undefined;
  for (const ride of rides) {
    writer.text(ride.serviceJourneyId, before?.serviceJourneyId ?? '');
    writer.signed(ride.day - (before?.day ?? 0));
    writer.signed(ride.departureSeconds);
    writer.number(ride.boardPosition);
    writer.number(ride.alightPosition);
    writer.text(ride.boardQuayId, before?.alightQuayId ?? '');
    writer.text(ride.alightQuayId, ride.boardQuayId);
    before = ride;
  }
  const bytes = writer.finish();
  return isTight ? join(PACKED, deflateRawSync(bytes, { level: 9 })) : join(PLAIN, bytes);
}

/** Undefined if `encodeRides` did not write the bytes. */
export function decodeRides(bytes: Uint8Array): RidesOfSnapshot | undefined {
  try {
    return readRides(new ByteReader(unpack(bytes)));
  } catch {
    return undefined;
  }
}

function join(form: number, bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length + 1);
  joined[0] = form;
  joined.set(bytes, 1);
  return joined;
}

function unpack(bytes: Uint8Array): Uint8Array {
  const rest = bytes.subarray(1);
  if (bytes[0] === PLAIN) return rest;
  if (bytes[0] === PACKED) return inflateRawSync(rest, { maxOutputLength: MAXIMUM_UNPACKED_BYTES });
  throw new RangeError('Of no known form');
}

function readRides(reader: ByteReader): RidesOfSnapshot {
  const snapshot = reader.text('');
  const rides: NamedRide[] = [];
  let before: NamedRide | undefined;
  while (!reader.isAtEnd) {
    if (rides.length === MAXIMUM_RIDES) throw new RangeError('Too many rides');
    const serviceJourneyId = reader.text(before?.serviceJourneyId ?? '');
    const day = (reader.signed() + (before?.day ?? 0)) as ServiceDay;
    const departureSeconds = reader.signed();
    const [boardPosition, alightPosition] = [reader.number(), reader.number()];
    const boardQuayId = reader.text(before?.alightQuayId ?? '');
    const alightQuayId = reader.text(boardQuayId);
    before = { serviceJourneyId, day, departureSeconds, boardPosition, alightPosition, boardQuayId, alightQuayId };
    rides.push(before);
  }
  return { snapshot, rides };
}
