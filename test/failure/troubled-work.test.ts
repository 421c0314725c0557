/** Work in trouble: parts die when the plan says so, every fault is ordered, and time ends what is left. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as pause } from 'node:timers/promises';
import { EVERY_FAULT } from './provider-faults.ts';
import { workInTrouble } from './troubled-work.ts';

const PIECES = 40;

describe('work in trouble', () => {
  let simulator: Server;
  let ordered: { readonly call: string; readonly mode: string }[];
  const done: string[] = [];

  beforeEach(async () => {
    ordered = [];
    done.length = 0;
    simulator = createServer(async (request, response) => {
      if (request.method === 'DELETE') return void response.writeHead(204).end();
      if (request.method === 'GET') {
        return void response.end(JSON.stringify({ faults: ordered.map((each) => ({ ...each, used: 1 })) }));
      }
      ordered.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      response.writeHead(201).end();
    });
    await new Promise<void>((resolve) => simulator.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => simulator.close());

  const service = () => ({
    url: () => `http://127.0.0.1:${(simulator.address() as AddressInfo).port}`,
    kill: async (name: string) => void done.push(`kill ${name}`),
    restart: async (name: string) => void done.push(`restart ${name}`),
  });

  it('kills each part at its share of the work, and orders every fault', async () => {
    let told = 0;
    const kills = [
      { victim: 'api', share: 0.25, pauseMs: 0 },
      { victim: 'mongod', share: 0.75, pauseMs: 5 },
    ] as const;
    const tell = async () => {
      told++;
      done.push(`story ${told}`);
      await pause();
    };
    const progress = () => told / PIECES;
    const work = { tell, progress, callers: 1, endsAfterMs: 600_000, kills, faultsEach: 2 };
    const { providerFaults } = await workInTrouble(service(), work);
    assert.equal(told, PIECES);
    assert.deepEqual(
      done.filter((each) => !each.startsWith('story')),
      ['kill api', 'restart api', 'kill mongod', 'restart mongod'],
    );
    assert.ok(done.indexOf('kill api') >= done.indexOf(`story ${PIECES / 4}`));
    assert.ok(done.indexOf('kill mongod') > done.indexOf(`story ${(PIECES * 3) / 4}`));
    assert.deepEqual(
      EVERY_FAULT.filter(({ call, mode }) => providerFaults[`${call} ${mode}`] !== 2),
      [],
    );
  });

  it('begins nothing more when its time is over, and has ordered and killed all the same', async () => {
    const work = {
      ...{ tell: async () => await pause(), progress: () => 0, callers: 2, endsAfterMs: 50, faultsEach: 1 },
      kills: [{ victim: 'api', share: 0.5, pauseMs: 0 }] as const,
    };
    await workInTrouble(service(), work);
    assert.deepEqual(done, ['kill api', 'restart api']);
    assert.equal(ordered.length, EVERY_FAULT.length);
  });
});
