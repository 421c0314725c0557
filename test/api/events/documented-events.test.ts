/** The document of events names each event that an area writes, with its data. */
import assert from 'node:assert/strict';
import { AREAS } from '../../../activities/areas.ts';
import type { Area } from '../../../platform/area.ts';
import { DocumentedEvents } from '../../support/documented-events.ts';

const documented = new DocumentedEvents();
const topics = AREAS.flatMap(({ topics = [] }: Area) => topics);

describe('the document of events', () => {
  it('has every topic of an area, and no other', () => {
    assert.deepEqual([...documented.topics].sort(), topics.map(({ name }) => name).sort());
  });

  for (const { name, events } of topics) {
    it(`has every type of ${name}, and no other`, () => {
      assert.deepEqual([...documented.typesOf(name)].sort(), [...events].sort());
    });
  }

  it('refuses members that it does not name, and events that lack one that all have', () => {
    const event = {
      ...{
        specversion: '1.0',
        id: 'order/K7QW2MXP/1',
        source: '/sales/order',
        type: 'service.order.OrderCancelled.v1',
      },
      ...{ subject: 'K7QW2MXP', time: '2026-11-21T04:43:09.120Z', datacontenttype: 'application/json' },
      ...{ partitionkey: 'K7QW2MXP', sequence: 1 },
    };
    const occurredAt = '2026-11-21T04:43:09.120Z';
    const meta = {
      orderId: 'K7QW2MXP',
      organisationId: 1,
      clientId: 'partner-1',
      correlationId: '7a0f5b1e-0d39-4a49-9d55-3f2f5f5c1c11',
      occurredAt,
    };
    assert.deepEqual(documented.faultsOf('order-events-dev', [{ ...event, data: { orderVersion: 1, meta } }]), []);
    assert.equal(
      documented.faultsOf('order-events-dev', [{ ...event, data: { orderVersion: 1, meta, name: 'Kari' } }]).length,
      1,
    );
    assert.equal(documented.faultsOf('order-events-dev', [{ ...event, data: { meta } }]).length, 1);
    const { clientId: _clientId, ...anonymous } = meta;
    const data = { orderVersion: 1, meta: anonymous };
    assert.equal(documented.faultsOf('order-events-dev', [{ ...event, data }]).length, 1);
  });
});
