/**
 * Sends events to Kafka with an idempotent producer. After any failure the producer is closed and the next attempt makes
 * another: what a failed one has left behind in the brokers or on the way is of no concern to it. Caller: the publisher.
 */
import { compatibilityPartitioner, Producer } from '@platformatic/kafka';
import { cloudEvent } from '../../platform/events/cloud-event.ts';
import type { OutboxEvent } from '../../platform/events/outbox.ts';
import type { KafkaAccess } from './kafka-config.ts';

export interface EventSender {
  /** When it returns, the brokers have all of them, each key's in this order. Throws when that is not known. */
  send(events: readonly OutboxEvent[]): Promise<void>;
  close(): Promise<void>;
}

const CLIENT_ID = 'samferd-events';
const TIMEOUT_MS = 10_000;
/** Within one send. The producer numbers its batches, so a repeat is stored once. */
const RETRIES = 2;
const RETRY_DELAY_MS = 250;
/**
 * Of the values of one request. Brokers refuse more than 1 MiB for one partition, unless they are told otherwise
 * (`message.max.bytes`); keys, headers and frames take some of it.
 */
const BYTES_AT_ONCE = 512 * 1_024;
/** Structured mode of the Kafka binding of CloudEvents. */
const HEADERS = new Map([[Buffer.from('content-type'), Buffer.from('application/cloudevents+json; charset=UTF-8')]]);

export class KafkaSender implements EventSender {
  readonly #access: KafkaAccess;
  #producer: Producer<Buffer, Buffer, Buffer, Buffer> | undefined;

  constructor(access: KafkaAccess) {
    this.#access = access;
  }

  async send(events: readonly OutboxEvent[]): Promise<void> {
    this.#producer ??= this.#open();
    const messages = events.map((event) => ({
      topic: event.topic,
      key: Buffer.from(event.key),
      value: Buffer.from(JSON.stringify(cloudEvent(event))),
      headers: HEADERS,
      timestamp: BigInt(event.time.getTime()),
    }));
    try {
      for (const sent of withinBytes(messages, BYTES_AT_ONCE)) await this.#producer.send({ messages: sent });
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    await producer?.close(true).catch(() => undefined);
  }

  #open(): Producer<Buffer, Buffer, Buffer, Buffer> {
    const { brokers, tls, login } = this.#access;
    return new Producer({
      clientId: CLIENT_ID,
      bootstrapBrokers: [...brokers],
      ...(tls && { tls, tlsServerName: true }),
      ...(login && { sasl: { mechanism: 'SCRAM-SHA-512', ...login } }),
      idempotent: true,
      retries: RETRIES,
      retryDelay: RETRY_DELAY_MS,
      timeout: TIMEOUT_MS,
      connectTimeout: TIMEOUT_MS,
      requestTimeout: TIMEOUT_MS * 2,
      // Whether missing topics are made, the brokers decide (auto.create.topics.enable).
      autocreateTopics: true,
      // As Kafka's own clients: a key has the same partition for every producer.
      partitioner: (_message, key) => compatibilityPartitioner(_message, key),
    });
  }
}

/** In their order. A message that is larger by itself goes alone: it is the brokers' to refuse. */
function withinBytes<Message extends { readonly value: Buffer }>(
  messages: readonly Message[],
  limit: number,
): readonly Message[][] {
  const parts: Message[][] = [];
  let bytes = limit;
  for (const message of messages) {
    bytes += message.value.length;
    if (bytes > limit) {
      parts.push([]);
      bytes = message.value.length;
    }
    parts.at(-1)?.push(message);
  }
  return parts;
}
