/** The id of something that a request creates: the same in each attempt. Callers: the stores of areas. */
import { createHash } from 'node:crypto';

const VERSION = 0x80;
const VARIANT = 0x80;

/** A UUID (RFC 9562, version 8) of the request and what the item is to it, as `line/0`. */
export function workItemId(workId: string, kind: string): string {
  const bytes = createHash('sha256').update(`${kind}/${workId}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | VERSION, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | VARIANT, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
