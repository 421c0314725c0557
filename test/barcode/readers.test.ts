/** Others read what this library writes: asn1tools the content, by the text of UIC's module, and zxing-cpp the symbol. */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAztec } from '../../barcode/aztec.ts';
import { encodePer } from '../../barcode/per/per-type.ts';
import { type RailTicket, railTicket } from '../../barcode/uic/rail-ticket.ts';
import { sharedDirectory, temporaryDirectory } from '../support/folders.ts';
import { providePythonPackages } from '../support/python-packages.ts';
import { run } from '../support/run.ts';
import { seededRandom } from '../support/zip-samples.ts';
import { randomValue } from './random-values.ts';
import { membersIn, membersOf, type Reflected } from './reflected.ts';

const given = process.env.TICKET_SEED;
const SEED = given === undefined ? randomInt(2 ** 31) : Number(given);
const RANDOM_TICKETS = 1_000;
const shared = sharedDirectory();

describe('other readers', () => {
  const folder = temporaryDirectory('barcode');
  let packages: string;

  before(async () => {
    packages = await providePythonPackages('barcode-readers');
  });

  /** Each line that the script prints. */
  async function runScript(script: string, lines: readonly string[], args: readonly string[] = []): Promise<string[]> {
    const input = join(folder, `${script}.txt`);
    writeFileSync(input, lines.join('\n'));
    const command = ['-S', join(import.meta.dirname, script), ...args, input];
    return (await run('python3', command, { PYTHONPATH: packages })).trim().split('\n');
  }

  it(`read the values of random tickets (TICKET_SEED=${SEED})`, async function () {
    if (!shared) this.skip();
    const random = seededRandom(SEED);
    const tickets = Array.from({ length: RANDOM_TICKETS }, () => randomValue(railTicket, random) as RailTicket);
    const lines = tickets.map((ticket) => encodePer(railTicket, ticket).toString('hex'));
    const module = join(shared, 'barcode/uicRailTicketData_v3.0.5.asn');
    const decoded = await runScript('decode_tickets.py', lines, [module]);
    assert.equal(decoded.length, tickets.length);
    assertAllMembers(tickets);
    for (const [at, ticket] of tickets.entries()) {
      assert.partialDeepStrictEqual(JSON.parse(decoded[at] ?? ''), inHexadecimal(ticket), `ticket ${at}`);
    }
  });

  it('read symbols of all sizes, from a print and from a photo', async () => {
    const contents = [1, 2, 16, 100, 170, 250, 400, 700].map((length) => randomBytes(length));
    const symbols = contents.map((octets) => {
      const { size, modules } = drawAztec(octets);
      return JSON.stringify({ size, modules: modules.join('') });
    });
    const read = await runScript('read_symbols.py', symbols);
    for (const [at, octets] of contents.entries()) {
      const hex = octets.toString('hex');
      assert.deepEqual(JSON.parse(read[at] ?? ''), { printed: hex, photo: hex }, `${octets.length} octets`);
    }
  });
});

describe('an Aztec symbol', () => {
  it('is the same for the same octets', () => {
    const octets = randomBytes(170);
    assert.deepEqual(drawAztec(octets), drawAztec(octets));
  });

  it('refuses more than it can hold, and nothing', () => {
    assert.throws(() => drawAztec(Buffer.alloc(1_401)), { name: 'RangeError', message: /1 to 1400 octets, not 1401/ });
    assert.throws(() => drawAztec(Buffer.alloc(0)), RangeError);
    assert.ok(drawAztec(randomBytes(1_400)).size > 100);
  });
});

/** A member that no random ticket has would not be compared. */
function assertAllMembers(tickets: readonly RailTicket[]): void {
  const found = new Set<string>();
  for (const ticket of tickets) membersIn(railTicket as Reflected, ticket, found);
  const missing = membersOf(railTicket as Reflected).difference(found);
  assert.deepEqual([...missing], [], 'members that no ticket has');
}

/** Octets as the script prints them. */
function inHexadecimal(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(inHexadecimal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inHexadecimal(item)]));
}
