/**
 * Runs a name server for the proxy, as the engine does: it returns the addresses of a service's instances. IPv4 and UDP
 * only.
 */
import { createSocket } from 'node:dgram';
import type { Addresses } from './addresses.ts';

export interface NameServer {
  /** `host:port` */
  readonly address: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const HEADER_BYTES = 12;
const TYPE_A = 1;
/** Short, so that addresses of ended instances expire soon. */
const LIFE_SECONDS = 1;

export async function serveNames(addresses: Addresses): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const reply = answer(query, addresses);
    if (reply) socket.send(reply, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
  return {
    address: `${HOST}:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/**
 * RFC 1035: the answer repeats the question and has a record for each address; without an address the name does not
 * exist.
 */
function answer(query: Buffer, addresses: Addresses): Buffer | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]; length !== undefined && length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  if (query.length < end) return undefined;
  const isA = query.readUInt16BE(at + 1) === TYPE_A;
  const all = addresses.listAddresses(labels[0]?.toLowerCase() ?? '');
  const records = isA ? all.map(toRecord) : [];
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(all.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
}

/** Refers to the name of the question, at byte 12. */
function toRecord(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(LIFE_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return record;
}
