/** Names of receivers are resolved by a real name server, and slow ones hold no others. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { createNameLookup } from '../../../../activities/shared/name-lookup.ts';

const ADDRESS = [93, 184, 215, 14];
/** Each holds an address of this machine or network: IPv4-compatible, site-local, for discarding, for translation. */
const PRIVATE: Readonly<Record<string, readonly number[]>> = {
  old: [...Array<number>(12).fill(0), 127, 0, 0, 1],
  site: [0xfe, 0xc0, ...Array<number>(13).fill(0), 1],
  discard: [1, 0, ...Array<number>(13).fill(0), 1],
  translated: [0, 0x64, 0xff, 0x9b, 0, 1, ...Array<number>(6).fill(0), 10, 1, 2, 3],
};
const NAME_END = Buffer.from([0]);

/** Answers one A record for every name, for those of `PRIVATE` an AAAA; nothing for those with `slow`, NXDOMAIN for those with `no`. */
function answer(query: Buffer): Buffer | undefined {
  const end = query.indexOf(NAME_END, 12);
  const [length = 0] = query.subarray(12, 13);
  const label = query.subarray(13, 13 + length).toString();
  if (label.startsWith('slow')) return undefined;
  const [type, missing] = [query.readUInt16BE(end + 1), label.startsWith('no')];
  const address = PRIVATE[label] ?? ADDRESS;
  const found = !missing && type === (PRIVATE[label] ? 28 : 1);
  const head = Buffer.from(query.subarray(0, end + 5));
  head.writeUInt16BE(missing ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(found ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  if (!found) return head;
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address])]);
}

describe('the names of receivers', () => {
  let server: Socket;
  let lookup: LookupFunction;
  before(async () => {
    server = createSocket('udp4');
    server.on('message', (query, from) => {
      const reply = answer(query);
      if (reply) server.send(reply, from.port, from.address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    lookup = createNameLookup({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs: 1_000 });
  });
  after(() => server.close());

  const resolve = (name: string, all = true) =>
    new Promise<string | LookupAddress[]>((found, failed) => {
      lookup(name, { all }, (error, address) => (error ? failed(error) : found(address)));
    });

  it('lead to their addresses, or to an error with the code of an unknown name', async () => {
    assert.deepEqual(await resolve('events.example.org'), [{ address: ADDRESS.join('.'), family: 4 }]);
    assert.equal(await resolve('events.example.org', false), ADDRESS.join('.'));
    await assert.rejects(resolve('no-such.example.org'), { code: 'ENOTFOUND' });
  });

  it('have no addresses that are not public', async () => {
    for (const label of Object.keys(PRIVATE)) {
      await assert.rejects(resolve(`${label}.example.org`), { code: 'ENOTFOUND' }, label);
    }
  });

  it('do not wait for others whose servers do not answer', async () => {
    const slow = Array.from({ length: 50 }, (_, n) => resolve(`slow-${n}.example.org`).catch(() => 'none'));
    const began = performance.now();
    await Promise.all(Array.from({ length: 20 }, (_, n) => resolve(`quick-${n}.example.org`)));
    assert.ok(performance.now() - began < 900);
    assert.equal(await Promise.race([...slow, Promise.resolve('not yet')]), 'not yet');
    await Promise.all(slow);
  });
});
