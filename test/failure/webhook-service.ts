/**
 * A webhook of a running service, with the logins of production: from the request that creates it to signed deliveries, also
 * after the events worker was killed. Caller: sales.test.ts.
 */
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { Receiver } from '../activities/events/webhooks/receiver.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const SECRET = 'correct-horse-battery-staple';
const SCOPES = ['profiles:write', 'webhooks:write', 'events:read'];

export function describeWebhook(useService: () => Service): void {
  describe('a webhook of a running service', () => {
    let service: Service;
    let receiver: Receiver;
    let tokens: readonly string[];

    before(async () => {
      service = useService();
      receiver = await Receiver.open();
      tokens = await Promise.all([1, 2].map((organisation) => service.token(SCOPES, organisation)));
    });
    after(async () => await receiver?.close());

    async function call(method: string, path: string, body?: object, organisation = 1) {
      const answer = await fetch(`${service.apiUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens[organisation - 1]}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, text);
      return text === '' ? {} : JSON.parse(text);
    }

    async function createProfile(organisationId = 1): Promise<string> {
      const by = { createdBy: 'test', createdByChannel: 'test' };
      const person = { firstName: 'Kari', surname: 'Nordmann', email: `${randomUUID()}@example.org`, organisationId };
      const { customerNumber } = await call('POST', '/customers/v2/profiles/', { ...person, ...by }, organisationId);
      return customerNumber;
    }

    it('gets its organisation’s events, signed, and no more after its deletion', async () => {
      const earlier = await createProfile();
      await until(async () => (await call('GET', '/v1/events/customer-changed-dev')).events.length === 1);
      const wanted = { url: `${receiver.url}/hook`, topics: ['customer-changed-dev'], secret: SECRET };
      const { id } = await call('POST', '/v1/webhooks', wanted);
      const mine = await createProfile();
      await createProfile(2);
      await until(() => receiver.received.length === 1);
      await service.kill('eventsWorker');
      const next = await createProfile();
      await service.restart('eventsWorker');
      await until(() => receiver.ids().length === 2, { timeoutMs: 60_000 });
      assert.deepEqual(receiver.ids(), [`customer/${mine}/1`, `customer/${next}/1`]);
      for (const { body, headers } of receiver.received) {
        const [, seconds, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['service-signature'])) ?? [];
        assert.equal(signature, createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'));
        assert.ok(!body.includes(earlier));
      }
      await until(async () => (await call('GET', `/v1/webhooks/${id}`)).lastDeliveredAt !== undefined);
      const shown = await call('GET', `/v1/webhooks/${id}`);
      assert.deepEqual([shown.state, shown.failingKeys], ['ACTIVE', 0]);
      await call('DELETE', `/v1/webhooks/${id}`);
      await createProfile();
      await until(async () => (await call('GET', '/v1/events/customer-changed-dev')).events.length === 4);
      assert.equal(receiver.ids().length, 2);
      for (const name of ['api', 'eventsWorker'] as const) assert.ok(!service.log(name).includes(SECRET));
    });
  });
}
