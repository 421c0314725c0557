/**
 * A real Kafka broker for one test file, on ports of its own, which the file can stop and start again with its data. The set-up
 * provides it where Java and Maven are; elsewhere the tests are skipped, except in continuous integration.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Consumer } from '@platformatic/kafka';
import { findOnPath, findPart, getPart } from '../../dev/setup/resolve.mjs';
import { type Child, Children } from '../../dev/stack/children.ts';
import { waitUntilReady } from '../../dev/stack/wait.ts';
import { makeCertificate } from './certificate.ts';
import { ownPort } from './own-port.ts';

export interface ReadMessage {
  readonly key: string;
  readonly value: string;
  readonly partition: number;
  readonly headers: Readonly<Record<string, string>>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
const PARTITIONS = 4;
const CLUSTER = 'c2FtZmVyZC10ZXN0LTAwMQ';
export const USER = { username: 'samferd', password: 'of-the-test' };

interface BrokerPorts {
  readonly plain: number;
  readonly secure: number;
  readonly controller: number;
}

/** A small heap, and a compiler that starts fast. */
const JAVA = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** The folder of Kafka's jars; undefined where the tests are to be skipped. */
export function findKafka(): string | undefined {
  const libs = findOnPath('java') === undefined ? undefined : findPart(getPart('kafka'));
  if (libs === undefined && process.env.CI === 'true')
    throw new Error(
      'Kafka is not here: run `node dev/setup/main.mjs test`; its tests must run in continuous integration',
    );
  return libs;
}

export class KafkaBroker {
  readonly address: string;
  /** Takes encrypted connections with the login of USER alone. */
  readonly secureAddress: string;
  readonly certificate = makeCertificate('kafka');
  readonly #java: string;
  readonly #libs: string;
  readonly #folder: string;
  readonly #children = new Children();
  #broker: Child | undefined;

  private constructor(libs: string, folder: string, ports: BrokerPorts) {
    this.#java = findOnPath('java') ?? 'java';
    this.#libs = libs;
    this.#folder = folder;
    this.address = `127.0.0.1:${ports.plain}`;
    this.secureAddress = `localhost:${ports.secure}`;
    this.#children.removeAtEnd(folder);
  }

  static async create(libs: string): Promise<KafkaBroker> {
    const folder = mkdtempSync(join(tmpdir(), 'samferd-kafka-'));
    const ports = { plain: await ownPort(), secure: await ownPort(), controller: await ownPort() };
    const broker = new KafkaBroker(libs, folder, ports);
    const { cert, key } = broker.certificate;
    writeFileSync(join(folder, 'broker.pem'), key + cert);
    writeFileSync(join(folder, 'server.properties'), properties(folder, ports));
    const user = `SCRAM-SHA-512=[name=${USER.username},password=${USER.password}]`;
    const format = broker.#run('kafka.tools.StorageTool', ['format', '-t', CLUSTER, '--add-scram', user, '-c']);
    const { code } = await format.ended;
    if (code !== 0) throw new Error(`Kafka's storage was not made: ${format.lastLines()}`);
    return broker;
  }

  async start(): Promise<void> {
    const broker = this.#run('kafka.Kafka', []);
    this.#broker = broker;
    await waitUntilReady(broker, () => answers(this.address), START_TIMEOUT_MS);
  }

  /** `kill`: without a chance to write anything more. */
  async stop(how: 'end' | 'kill' = 'end'): Promise<void> {
    await this.#broker?.stop(how === 'kill' ? 0 : STOP_GRACE_MS);
    this.#broker = undefined;
  }

  async remove(): Promise<void> {
    await this.#children.stopAll(0);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The messages of a topic from its beginning, as soon as there are `count` different ones; of one partition in their order. */
  async read(topic: string, count: number): Promise<readonly ReadMessage[]> {
    const consumer = new Consumer({
      clientId: 'test',
      groupId: `test-${process.hrtime.bigint()}`,
      bootstrapBrokers: [this.address],
    });
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false });
    const read: ReadMessage[] = [];
    const different = new Set<string | undefined>();
    for await (const { key, value, partition, headers } of stream) {
      const named = [...headers].map(([name, text]) => [String(name), String(text)] as const);
      read.push({ key: String(key), value: String(value), partition, headers: Object.fromEntries(named) });
      different.add(read.at(-1)?.value);
      if (different.size >= count) break;
    }
    await consumer.close(true);
    return read;
  }

  #run(main: string, args: readonly string[]): Child {
    const file = join(this.#folder, 'server.properties');
    const classPath = ['-cp', join(this.#libs, '*')];
    const logFile = join(this.#folder, `${main}.log`);
    return this.#children.start({
      name: main,
      command: this.#java,
      args: [...JAVA, ...classPath, main, ...args, file],
      logFile,
    });
  }
}

function properties(folder: string, { plain, secure, controller }: BrokerPorts): string {
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `listeners=PLAINTEXT://127.0.0.1:${plain},SECURE://127.0.0.1:${secure},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${plain},SECURE://localhost:${secure}`,
    'controller.listener.names=CONTROLLER',
    'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
    'inter.broker.listener.name=PLAINTEXT',
    'sasl.enabled.mechanisms=SCRAM-SHA-512',
    'listener.name.secure.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${join(folder, 'broker.pem')}`,
    `log.dirs=${join(folder, 'data')}`,
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    `num.partitions=${PARTITIONS}`,
    '',
  ].join('\n');
}

async function answers(address: string): Promise<void> {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
  } finally {
    socket.destroy();
  }
}
