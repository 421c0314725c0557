/**
 * Tells stories of orders while parts of the service are killed, and then compares orders, seats and events with the
 * acknowledged writes. Used by kill-orders.ts and its short twin.
 */
import { ARRANGEMENTS } from '../../activities/seating/seating-model.ts';
import { connectMongo } from '../../platform/mongo/mongo.ts';
import { findKafka, KafkaBroker } from '../support/kafka.ts';
import { type PartName, Service } from '../support/service.ts';
import { publishTrains, trainsCatalogueFile } from '../support/sold-trains.ts';
import { until } from '../support/until.ts';
import { lookWithForeignEyes } from './foreign-eyes.ts';
import { OrderBooks } from './order-books.ts';
import { OrderCalls } from './order-calls.ts';
import { checkEvents, checkKafka } from './order-event-books.ts';
import { OrderStories, STORY_SCOPES } from './order-stories.ts';
import { PatientClient } from './patient-client.ts';

/** A part of the service, or the broker, which is no part of it. */
export type Victim = PartName | 'kafka';

export const VICTIMS: readonly Victim[] = [
  ...(['api', 'salesOrdersWorker', 'mongod', 'eventsWorker', 'temporal', 'auth', 'kafka'] as const),
];

export interface OrderRunOptions {
  readonly stories: number;
  /** The broker dies only where the run has one. */
  readonly victims: readonly Victim[];
  /** Whether holds without an order are freed by the worker, two minutes later, or by a sweep whose clock is ahead. */
  readonly sweep: 'worker' | 'ahead';
  /** Publishes to a broker, too, where one is installed. */
  readonly kafka?: boolean;
}

export interface OrderRun {
  readonly faults: readonly string[];
  readonly orders: number;
  readonly acknowledged: number;
  readonly soldOut: number;
  readonly forgotten: number;
  /** Holds that a killed process left without an order, until the sweep. */
  readonly orphans: number;
  readonly repeats: number;
  readonly kills: number;
  readonly events: number;
  /** Confirmed versions that were read again. */
  readonly versions: number;
  /** Of another organisation, for every id that was given. */
  readonly foreignRequests: number;
  /** Messages at the broker, with those that were published twice. */
  readonly messages: number | undefined;
}

/** Killed while a reservation has noted seats and not yet written its order. */
const HOLDERS: readonly Victim[] = ['api', 'mongod'];
const WRITERS = 6;
/** Stories that share a token: tokens are asked for while the authentication server is dead, too. */
const STORIES_A_TOKEN = 5;
const NEXT_KILL_MS = 600_000;
const NOTED_WITHIN_MS = 3_000;

export async function runOrders(options: OrderRunOptions): Promise<OrderRun> {
  const libs = options.kafka ? findKafka() : undefined;
  const broker = libs === undefined ? undefined : await KafkaBroker.create(libs);
  try {
    await broker?.start();
    const service = await Service.start({
      timetable: false,
      processes: ['salesOrdersWorker', 'eventsWorker'],
      env: { CATALOGUE_FILE: trainsCatalogueFile(), ...(broker && { KAFKA_BROKERS: broker.address }) },
    });
    try {
      return await runOrdersOn(service, options, broker);
    } finally {
      await service.stop();
    }
  } finally {
    await broker?.remove();
  }
}

/**
 * Runs on a service with the catalogue of {@link trainsCatalogueFile}, `salesOrdersWorker`, `eventsWorker`, and no orders yet: the
 * books tell of every order.
 */
export async function runOrdersOn(
  service: Service,
  options: OrderRunOptions,
  broker?: KafkaBroker | undefined,
): Promise<OrderRun> {
  await publishTrains(service);
  const client = new PatientClient(service, STORY_SCOPES);
  await client.logIn();
  const calls = new OrderCalls(client);
  const stories = new OrderStories(calls);
  await tellAndKill({ service, broker, client }, stories, options);
  const connection = await connectMongo(service.mongoUri);
  try {
    const books = new OrderBooks(connection, stories.told, calls.forgotten);
    await books.settle(options.sweep);
    const faults = [...calls.faults, ...(await books.check())];
    const checked = await checkEvents(connection, client, await books.orders());
    const messages = broker && (await checkKafka(broker, checked.events));
    const foreign = await lookAsAnother(service, stories, calls);
    return {
      faults: [
        ...[...faults, ...checked.faults, ...(messages?.faults ?? []), ...foreign.faults],
        ...(await stories.confirmed.check(client)),
      ],
      versions: stories.confirmed.count,
      foreignRequests: foreign.requests,
      orders: stories.told.length,
      acknowledged: calls.acknowledged,
      soldOut: calls.soldOut,
      forgotten: calls.forgotten,
      orphans: books.orphans,
      repeats: client.repeats,
      kills: options.victims.length,
      events: checked.events.length,
      messages: messages?.count,
    };
  } finally {
    await connection.close();
  }
}

async function lookAsAnother(service: Service, { told }: OrderStories, { ids }: OrderCalls) {
  const another = new PatientClient(service, STORY_SCOPES, 2);
  await another.logIn();
  const orders = told.map(({ orderId }) => orderId);
  return await lookWithForeignEyes(another, { orders, offers: [...ids.offers], reservations: [...ids.reservations] });
}

interface Target {
  readonly service: Service;
  readonly broker: KafkaBroker | undefined;
  readonly client: PatientClient;
}

/** Kills the victims in turn, spread evenly over the stories. */
async function tellAndKill(target: Target, told: OrderStories, { stories, victims }: OrderRunOptions): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < stories) {
      const story = next++;
      if (story % STORIES_A_TOKEN === 0) await target.client.logIn();
      await told.tell(story);
    }
  };
  const saboteur = async (): Promise<void> => {
    for (const [at, victim] of victims.entries()) {
      const due = Math.floor(((at + 1) * stories) / (victims.length + 1));
      await until(async () => next >= due, { timeoutMs: NEXT_KILL_MS, what: 'the next kill' });
      if (HOLDERS.includes(victim)) await untilSeatsAreNoted(target.service);
      await killAndRestart(target, victim);
    }
  };
  await Promise.all([saboteur(), ...Array.from({ length: WRITERS }, writer)]);
}

async function killAndRestart({ service, broker }: Target, victim: Victim): Promise<void> {
  if (victim !== 'kafka') {
    await service.kill(victim);
    await service.restart(victim);
    return;
  }
  await broker?.stop('kill');
  await broker?.start();
}

/** Or until none has come for some time. */
async function untilSeatsAreNoted(service: Service): Promise<void> {
  const connection = await connectMongo(service.mongoUri);
  const arrangements = ARRANGEMENTS.open(connection);
  const isNoted = async () => (await arrangements.findOne({ status: 'PENDING' })) !== null;
  for (const end = Date.now() + NOTED_WITHIN_MS; Date.now() < end && !(await isNoted()); );
  await connection.close();
}
