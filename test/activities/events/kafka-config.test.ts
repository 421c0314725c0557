/** The settings of Kafka: what is refused at the start, before anything is sent in the clear. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { kafkaAccessOf, kafkaShape } from '../../../activities/events/kafka-config.ts';

const read = (env: Record<string, string>, environment: 'dev' | 'production' = 'production') =>
  kafkaAccessOf(z.object(kafkaShape).parse(env), environment);
const KAFKA_BROKERS = 'kafka-1:9092, kafka-2:9092';
const login = { KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 'p' };

describe('the settings of Kafka', () => {
  it('name no brokers, or several', () => {
    assert.equal(read({}), undefined);
    assert.equal(read({ KAFKA_BROKERS: '' }), undefined);
    assert.deepEqual(read({ KAFKA_BROKERS }, 'dev'), { brokers: ['kafka-1:9092', 'kafka-2:9092'] });
    for (const bad of ['kafka', 'kafka:9092,', 'http://kafka:9092', 'kafka:port'])
      assert.throws(() => read({ KAFKA_BROKERS: bad }), /must be host:port/, bad);
  });

  it('say outside development whether connections are encrypted', () => {
    for (const unset of [{}, { KAFKA_TLS: '' }])
      assert.throws(() => read({ KAFKA_BROKERS, ...unset }), /KAFKA_TLS: must be true, or false/);
    assert.equal(read({ KAFKA_BROKERS, KAFKA_TLS: 'false' })?.tls, undefined);
    assert.deepEqual(read({ KAFKA_BROKERS, KAFKA_TLS: 'true' })?.tls, {});
  });

  it('have a login whole, and outside development over TLS alone', () => {
    const both = { KAFKA_BROKERS, ...login };
    assert.throws(() => read({ KAFKA_BROKERS, KAFKA_USERNAME: 'u' }), /both or neither/);
    assert.throws(() => read(both), /must not be sent in the clear/);
    assert.deepEqual(read(both, 'dev')?.login, { username: 'u', password: 'p' });
    assert.deepEqual(read({ ...both, KAFKA_TLS: 'true' })?.tls, {});
  });

  it('name a file with the authority that can be read', () => {
    const tls = { KAFKA_BROKERS, KAFKA_TLS: 'true' };
    assert.throws(() => read({ ...tls, KAFKA_TLS_CA_FILE: '/no/such/file' }), /KAFKA_TLS_CA_FILE: .*no such file/);
    assert.equal(typeof read({ ...tls, KAFKA_TLS_CA_FILE: import.meta.filename })?.tls?.ca, 'string');
  });
});
