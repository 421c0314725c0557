/** An answer is given up when its caller has gone: nobody may have long answers made for nothing. */
import assert from 'node:assert/strict';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Timetable } from '../../../../planner/index.ts';
import { until } from '../../../support/until.ts';
import { RawCaller } from '../../forwarding/support.ts';
import { openTown } from './network.ts';
import { startPlanner } from './planner-process.ts';

const QUERY = `{ ${Array.from({ length: 40 }, (_, at) => `l${at}: lines { id quays { id stopPlace { id } } }`).join(' ')} }`;

describe('Answers for callers who have gone', () => {
  it('are given up', async () => {
    let reads = 0;
    let onRead = (): void => {};
    const town = openTown();
    const counted = new Proxy(town, {
      get(target, name) {
        reads += 1;
        onRead();
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }) as Timetable;
    const planner = await startPlanner(counted, { GRAPHQL_SLICE_MS: '0' });
    const { body } = await planner.sendQuery('v3', QUERY);
    assert.equal(body.errors, undefined);
    const whole = reads;

    reads = 0;
    const caller = new RawCaller(planner.url);
    onRead = () => {
      if (reads > whole / 10) caller.socket.destroy();
    };
    const json = JSON.stringify({ query: QUERY });
    caller.socket.write(
      `POST /journey-planner/v3/graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    );
    await caller.closed;
    let before = -1;
    await until(async () => {
      before = reads;
      for (let round = 0; round < 100; round += 1) await nextRound();
      return reads === before;
    });
    assert.ok(reads > whole / 10 && reads < whole / 2, `${reads} reads of ${whole}`);
    await planner.close();
  });
});
