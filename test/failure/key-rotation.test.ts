/** The short twin of `npm run bench:key-rotation`: real processes, steady requests, one rotation and one withdrawal. */
import assert from 'node:assert/strict';
import { startWithdrawal } from '../../activities/auth/rotation-schedule.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { RotationLoad } from './rotation-load.ts';

describe('signing keys rotated under load', function () {
  this.timeout(240_000);
  let service: Service;
  let load: RotationLoad;

  before(async () => {
    const env = { TOKEN_LIFETIME_SECONDS: '60', KEY_PUBLISHED_AHEAD_SECONDS: '10' };
    service = await Service.start({ timetable: false, processes: ['operationsWorker'], env });
    load = new RotationLoad(service);
    await load.prepare();
  });
  after(async () => {
    await load?.close();
    await service?.stop();
  });

  it('fail no request with a valid token, whichever key signed it', async () => {
    const first = await load.fetchToken();
    assert.equal((await load.use(first)).status, 200);
    const running = load.run(40, 22);
    await load.rotate();
    await until(async () => (await load.published()).length === 2);
    await until(async () => (await load.fetchToken()).kid !== first.kid);
    await running;
    assert.deepEqual(load.failures, []);
    assert.equal(load.answered.size, 2);
    // The first token is half a minute old, and its key no longer signs.
    assert.ok((await load.published()).includes(first.kid));
    if (Date.now() < first.endsAtMs) assert.equal((await load.use(first)).status, 200);
  });

  it('are refused once withdrawn, while their successor is accepted', async () => {
    const before = await load.fetchToken();
    await startWithdrawal(load.temporal);
    await until(async () => !(await load.published()).includes(before.kid), { timeoutMs: 60_000 });
    // An operator restarts processes this way, to make them fetch the keys at once.
    await service.kill('api');
    await service.restart('api');
    assert.equal((await load.use(before)).status, 401);
    const after = await load.fetchToken();
    assert.notEqual(after.kid, before.kid);
    assert.equal((await load.use(after)).status, 200);
    assert.deepEqual(await load.published(), [after.kid]);
  });

  it('are reported by the metrics of the worker', async () => {
    const text = async () => await (await fetch(`${service.url('operationsWorker')}/metrics`)).text();
    await until(async () => /^auth_signing_keys\{state="SIGNING"\} 1$/m.test(await text()));
    assert.match(await text(), /^auth_signing_key_age_seconds \d/m);
  });
});
