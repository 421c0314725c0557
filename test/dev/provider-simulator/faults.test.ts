import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { FAULT_MODES, type FaultMode, type FaultyCall } from '../../../dev/provider-simulator/faults.ts';
import {
  authorised,
  call,
  payByCard,
  receiveCallbacks,
  type Simulator,
  sessionRequest,
  startSimulatorFor,
} from '../../support/provider-simulator.ts';
import { until } from '../../support/until.ts';

const AMOUNT = { amountMinor: 34_900 };
const DELAY_MS = 300;

interface Attempt {
  /** Undefined: the connection ended without an answer. */
  readonly status: number | undefined;
  readonly ms: number;
}

describe('Faults of the payment provider simulator', () => {
  let simulator: Simulator;
  let url = '';

  before(async () => {
    simulator = await startSimulatorFor('simulator-faults');
    url = simulator.url;
  });
  after(() => simulator.stop());
  afterEach(async () => {
    assert.equal((await fetch(`${url}/faults`, { method: 'DELETE' })).status, 204);
  });

  const order = async (fault: object) => await call(url, '/faults', fault);
  const attempt = async (path: string, body: object | undefined, key: string): Promise<Attempt> => {
    const startedAt = performance.now();
    const answer = await call(url, path, body, key).catch(() => undefined);
    return { status: answer?.status, ms: performance.now() - startedAt };
  };

  /** For each call: its path and body, and whether it has had its effect. */
  const CALLS: Readonly<Record<Exclude<FaultyCall, 'callback' | 'status'>, () => Promise<readonly [string, object]>>> =
    {
      session: async () => ['/sessions', sessionRequest()],
      cancel: async () => [`/sessions/${(await call(url, '/sessions', sessionRequest())).json.sessionId}/cancel`, {}],
      capture: async () => [`${(await authorised(url, '4111111111111111')).path}/capture`, AMOUNT],
      void: async () => [`${(await authorised(url, '4111111111111111')).path}/void`, AMOUNT],
      refund: async () => {
        const { path } = await authorised(url, '4111111111111111');
        await call(url, `${path}/capture`, AMOUNT);
        return [`${path}/refund`, AMOUNT];
      },
    };
  const EXPECTED: Readonly<Record<FaultMode, { readonly status: number | undefined; readonly hasEffect: boolean }>> = {
    SLOW: { status: 200, hasEffect: true },
    FAIL_BEFORE: { status: 503, hasEffect: false },
    FAIL_AFTER: { status: 500, hasEffect: true },
    DROP: { status: undefined, hasEffect: true },
    DUPLICATE: { status: 200, hasEffect: true },
  };

  for (const [name, prepare] of Object.entries(CALLS)) {
    for (const mode of FAULT_MODES) {
      it(`${mode} of ${name}`, async () => {
        const [path, body] = await prepare();
        const key = randomUUID();
        assert.equal((await order({ call: name, mode, count: 1, delayMs: DELAY_MS })).status, 201);
        const { status, ms } = await attempt(path, body, key);
        const expected = EXPECTED[mode];
        const usual = name === 'session' ? [200, 201] : [200];
        if (expected.status === 200) assert.ok(usual.includes(status ?? 0), String(status));
        else assert.equal(status, expected.status);
        assert.equal(ms >= DELAY_MS, mode === 'SLOW' || ms >= DELAY_MS);
        assert.equal((await call(url, `/operations/${key}`)).status, expected.hasEffect ? 200 : 404);
        const again = await attempt(path, body, key);
        assert.ok([200, 201].includes(again.status ?? 0), 'the fault is used up');
      });
    }
  }

  for (const mode of FAULT_MODES) {
    it(`${mode} of status`, async () => {
      const { json } = await call(url, '/sessions', sessionRequest(), `status-${mode}`);
      for (const path of [`/sessions/${json.sessionId}`, `/operations/status-${mode}`]) {
        await order({ call: 'status', mode, count: 1, delayMs: DELAY_MS });
        assert.equal((await attempt(path, undefined, '-')).status, EXPECTED[mode].status);
        assert.equal((await call(url, path)).status, 200);
      }
    });
  }

  it('are used in their order, as often as ordered, and told', async () => {
    await order({ call: 'session', mode: 'FAIL_BEFORE', count: 2 });
    await order({ call: 'session', mode: 'FAIL_AFTER', count: 1 });
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await call(url, '/sessions', sessionRequest())).status);
    assert.deepEqual(statuses, [503, 503, 500]);
    const { faults } = (await call(url, '/faults')).json;
    assert.deepEqual(
      faults.map(({ id: _, ...fault }: { id: string }) => fault),
      [
        { call: 'session', mode: 'FAIL_BEFORE', count: 2, delayMs: 5_000, left: 0, used: 2 },
        { call: 'session', mode: 'FAIL_AFTER', count: 1, delayMs: 5_000, left: 0, used: 1 },
      ],
    );
  });

  it('hit as many calls as ordered when many come at once', async () => {
    await order({ call: 'session', mode: 'FAIL_BEFORE', count: 7 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => call(url, '/sessions', sessionRequest())));
    assert.equal(answers.filter(({ status }) => status === 503).length, 7);
  });

  it('are refused in another shape', async () => {
    for (const wrong of [{}, { call: 'pay', mode: 'SLOW', count: 1 }, { call: 'void', mode: 'SLOW', count: 0 }]) {
      assert.equal((await order(wrong)).status, 400);
    }
  });
});

describe('Faults of the callbacks of the payment provider simulator', () => {
  const REPORTS: Readonly<Record<FaultMode, number>> = {
    SLOW: 1,
    FAIL_BEFORE: 1,
    FAIL_AFTER: 2,
    DROP: 0,
    DUPLICATE: 2,
  };

  for (const mode of FAULT_MODES) {
    it(mode, async () => {
      // A simulator of its own: a report of another session that is sent again would take the fault.
      const { url, stop } = await startSimulatorFor(`simulator-faults-${mode.toLowerCase()}`);
      const receiver = await receiveCallbacks();
      await call(url, '/faults', { call: 'callback', mode, count: 1, delayMs: DELAY_MS });
      const { json } = await call(url, '/sessions', sessionRequest({ callbackUrl: receiver.url }));
      await payByCard(json.terminalUri, '4111111111111111');
      await until(async () => (await call(url, '/faults')).json.faults[0].left === 0);
      await receiver.untilReceived(REPORTS[mode]);
      // A further event comes after all copies of the first, so no late copy is overlooked.
      const { authorisationId } = (await call(url, `/sessions/${json.sessionId}`)).json;
      await call(url, `/authorisations/${authorisationId}/capture`, AMOUNT);
      await until(() => receiver.received.some(({ report }) => report.type === 'CAPTURED'));
      const first = receiver.received.filter(({ report }) => report.type === 'SESSION_AUTHORISED');
      assert.equal(first.length, REPORTS[mode]);
      assert.ok(new Set(first.map(({ report }) => report.id)).size <= 1);
      receiver.close();
      await stop();
    });
  }
});
