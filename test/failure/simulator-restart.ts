/** Kills the provider's simulator. Caller: sales.test.ts, at last, as the faults that it sets remain. */
import assert from 'node:assert/strict';
import { authorised, call, payByCard, receiveCallbacks, sessionRequest } from '../support/provider-simulator.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const AMOUNT = { amountMinor: 34_900 };

/** As a process of the service's stack, with a login that reaches its own database alone. */
export function describeSimulatorRestart(useService: () => Service): void {
  describe('The payment provider simulator after kill -9', () => {
    let service: Service;
    let url = '';

    before(async () => {
      service = useService();
      url = service.url('providerSimulator');
    });

    it('remembers sessions, keys, money and faults, and sends what it had not sent', async () => {
      const receiver = await receiveCallbacks();
      const { path, reference } = await authorised(url, '4111111111111111');
      const { json: captured } = await call(url, `${path}/capture`, AMOUNT, 'kept');
      const { json: open } = await call(url, '/sessions', sessionRequest({ callbackUrl: receiver.url }), 'open');
      await call(url, '/faults', { call: 'callback', mode: 'SLOW', count: 1, delayMs: 600_000 });
      await call(url, '/faults', { call: 'void', mode: 'FAIL_BEFORE', count: 3 });
      await payByCard(open.terminalUri, '4111111111111111');
      const isSending = async () => (await call(url, '/faults')).json.faults[0].used === 1;
      await until(isSending, { what: 'the callback that is being sent' });
      await service.kill('providerSimulator');
      await service.restart('providerSimulator');
      assert.deepEqual((await call(url, `${path}/capture`, AMOUNT, 'kept')).json, captured);
      assert.equal((await call(url, `/ledger?reference=${reference}`)).json.entries[0].captures.length, 1);
      assert.equal((await call(url, `/sessions/${open.sessionId}`)).json.status, 'AUTHORISED');
      const { faults } = (await call(url, '/faults')).json;
      assert.equal(faults.find((fault: { call: string }) => fault.call === 'void').left, 3);
      await receiver.untilReceived(1);
      assert.equal(receiver.received[0]?.report.type, 'SESSION_AUTHORISED');
      receiver.close();
    });

    it('has moved money once for every key when it dies among many calls', async () => {
      const paid = await Promise.all(Array.from({ length: 20 }, () => authorised(url, '4111111111111111')));
      const captureAll = () =>
        Promise.all(
          paid.map(({ path, reference }) =>
            call(url, `${path}/capture`, AMOUNT, `cap-${reference}`).catch(() => undefined),
          ),
        );
      const dying = captureAll();
      await service.kill('providerSimulator');
      await dying;
      await service.restart('providerSimulator');
      const answers = await captureAll();
      assert.ok(answers.every((answer) => answer?.json.outcome === 'CAPTURED'));
      for (const { reference } of paid) {
        assert.equal((await call(url, `/ledger?reference=${reference}`)).json.entries[0].captures.length, 1);
      }
    });
  });
}
