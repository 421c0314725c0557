/** The envelope of events: ids, topics and sequences. */
import assert from 'node:assert/strict';
import { aggregateOf, type EventFamily, wrapEvents } from '../../../platform/events/event-family.ts';

const FAMILY: EventFamily<{ readonly _id: string }> = {
  aggregate: 'order',
  topic: 'order-events',
  otherTopics: [{ topic: 'order-event-collections', types: ['OrderLinesAdded'] }],
  source: '/sales/order',
  typePrefix: 'service.order',
  describe: ({ _id }) => ({ aggregateId: _id, key: _id, organisationId: 1, ids: { orderId: _id } }),
};

describe('events of one write', () => {
  const wrapped = wrapEvents(FAMILY, [{ type: 'OrderLineAdded' }, { type: 'OrderLinesAdded' }, { type: 'FeeAdded' }], {
    document: { _id: 'K7QW2MXP' },
    firstSequence: 9,
    correlationId: 'c',
    environment: 'dev',
    at: new Date(),
  });

  it('have one sequence without a gap over several topics', () => {
    assert.deepEqual(
      wrapped.map(({ topic, id, sequence }) => [topic, id, sequence]),
      [
        ['order-events-dev', 'order/K7QW2MXP/9', 9],
        ['order-event-collections-dev', 'order/K7QW2MXP/10', 10],
        ['order-events-dev', 'order/K7QW2MXP/11', 11],
      ],
    );
  });

  it('name their aggregate, whatever the length of the sequence', () => {
    assert.deepEqual(new Set(wrapped.map(aggregateOf)), new Set(['order/K7QW2MXP']));
  });
});
