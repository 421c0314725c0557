/**
 * The ids of the work that has changed a document, so that a repeat changes nothing. Caller: the aggregate kit. Pure.
 *
 * One binary member holds them: per id the first 8 bytes of its SHA-256 and the second of the write in 4 bytes. An id
 * stays for 73 hours, an hour longer than idempotency keys do, and newer work never pushes it out. A document that is
 * written N times within 73 hours is 12 N bytes heavier: 1.2 kB at 100 writes, 12 kB at 1,000. Beyond 10,000 writes
 * (120 kB) the kit refuses further work until old ids expire: to forget one could act twice.
 */
import { createHash } from 'node:crypto';
import type { mongo } from 'mongoose';
import { WORK_REMEMBERED_MS } from '../idempotency/lifetime.ts';
import { AggregateBusy } from './aggregate-busy.ts';

/** As the driver reads a binary member, with `promoteBuffers` or without. */
export type PackedWorkIds = Uint8Array | mongo.Binary;

/** Limit for one document within 73 hours. */
export const MAX_WORK_IDS = 10_000;

const HASH_BYTES = 8;
const ENTRY_BYTES = HASH_BYTES + 4;
const LIFETIME_SECONDS = WORK_REMEMBERED_MS / 1_000;

/** True while the work is younger than 73 hours, to the second. */
export function hasWorkId(packed: PackedWorkIds | undefined, workId: string, now: Date): boolean {
  const bytes = toBuffer(packed);
  const hash = hashOf(workId);
  return liveStarts(bytes, now).some((start) => hash.compare(bytes, start, start + HASH_BYTES) === 0);
}

/** Drops the expired ids. Throws AggregateBusy when {@link MAX_WORK_IDS} are live. */
export function addWorkId(packed: PackedWorkIds | undefined, workId: string, now: Date): Buffer {
  const bytes = toBuffer(packed);
  const live = liveStarts(bytes, now);
  if (live.length >= MAX_WORK_IDS) {
    const oldest = Math.min(...live.map((start) => secondOf(bytes, start)));
    throw new AggregateBusy('TOO_MANY_WRITES', Math.max(1, oldest + LIFETIME_SECONDS + 1 - toSeconds(now)));
  }
  const entry = Buffer.alloc(ENTRY_BYTES);
  hashOf(workId).copy(entry);
  entry.writeUInt32BE(toSeconds(now), HASH_BYTES);
  return Buffer.concat([...live.map((start) => bytes.subarray(start, start + ENTRY_BYTES)), entry]);
}

/** Where the live entries start. The clocks of processes differ, so entries need not be in the order of their times. */
function liveStarts(bytes: Buffer, now: Date): readonly number[] {
  const oldestLive = toSeconds(now) - LIFETIME_SECONDS;
  const starts: number[] = [];
  for (let start = 0; start + ENTRY_BYTES <= bytes.length; start += ENTRY_BYTES) {
    if (secondOf(bytes, start) >= oldestLive) starts.push(start);
  }
  return starts;
}

function toBuffer(packed: PackedWorkIds | undefined): Buffer {
  if (!packed) return Buffer.alloc(0);
  const bytes = packed instanceof Uint8Array ? packed : packed.buffer;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function secondOf(bytes: Buffer, start: number): number {
  return bytes.readUInt32BE(start + HASH_BYTES);
}

function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

function hashOf(workId: string): Buffer {
  return createHash('sha256').update(workId).digest().subarray(0, HASH_BYTES);
}
