/**
 * Rotations of signing keys on a time-skipping server, with the real stores on a real database. The stores use that
 * server's clock. Activities can fail before or after their effect.
 */
import '../../support/quiet-temporal.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Connection } from 'mongoose';
import { createRotationActivities } from '../../../activities/auth/signing-key-rotation-activities.ts';
import { SigningKeyRotationStore } from '../../../activities/auth/signing-key-rotation-store.ts';
import { ringOf } from '../../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../../activities/auth/signing-key-store.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { createDataConverter } from '../../../platform/temporal/temporal.ts';
import type { SigningKeyRecords } from '../../../workflows/auth/activities.ts';
import {
  OPERATIONS_QUEUE,
  type RotationProgress,
  rotationProgressQuery,
  type SigningKeyRotationInput,
  signingKeyRotationWorkflow,
} from '../../../workflows/auth/messages.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { useMongo } from '../../support/stack.ts';
import { openTimeSkipping } from '../../support/time-skipping.ts';
import { until } from '../../support/until.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';

export type RotationActivityName = keyof SigningKeyRecords;
export type Rotation = WorkflowHandleWithFirstExecutionRunId;

export class RotationWorld {
  readonly auth: SigningKeyStore;
  readonly rotations: SigningKeyRotationStore;
  /** Lag of the database's clients behind the server. */
  behindMs = 0;
  readonly #environment: TestWorkflowEnvironment;
  readonly #connection: Connection;
  readonly #faults = new Map<string, number>();
  #nowMs = 0;
  #stopWorker: () => Promise<void> = async () => {};

  static async open(): Promise<RotationWorld> {
    const environment = await openTimeSkipping();
    const { uri } = await useMongo();
    const connection = await connectMongo(uri(`rotation-${randomUUID().slice(0, 8)}`));
    const world = new RotationWorld(environment, connection);
    await world.#start();
    return world;
  }

  private constructor(environment: TestWorkflowEnvironment, connection: Connection) {
    this.#environment = environment;
    this.#connection = connection;
    const options = { connection, encryptionKeys: ringOf(randomBytes(32)), now: () => new Date(this.#nowMs) };
    this.auth = new SigningKeyStore(options);
    this.rotations = new SigningKeyRotationStore(options);
  }

  /** Removes all keys and faults. */
  async reset(): Promise<void> {
    await this.#connection.dropDatabase();
    await this.rotations.ensureIndexes();
    this.#faults.clear();
    this.behindMs = 0;
  }

  async #start(): Promise<void> {
    const log = createLog({ level: 'silent', name: 'rotation' });
    const worker = await Worker.create({
      connection: this.#environment.nativeConnection,
      taskQueue: OPERATIONS_QUEUE,
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      activities: this.#disturbed(createRotationActivities({ keys: this.rotations, withdrawals: this.rotations, log })),
    });
    const running = worker.run();
    this.#stopWorker = async () => {
      worker.shutdown();
      await running;
    };
    await this.reset();
    await this.startClock();
  }

  /** Sets the clock of the stores to the server's time, and returns it. */
  async startClock(): Promise<number> {
    this.#nowMs = (await this.#environment.currentTimeMs()) - this.behindMs;
    return this.#nowMs;
  }

  /** Adopts a signing key, as an auth process with this token lifetime does. */
  async adopt(lifetimeSeconds: number): Promise<string> {
    await this.startClock();
    return (await this.auth.adoptSigningKey(lifetimeSeconds)).kid;
  }

  /** Makes the next `times` runs of the activity fail at this point. */
  breakOn(name: RotationActivityName, when: 'before' | 'after', times = 1): void {
    this.#faults.set(`${name} ${when}`, times);
  }

  /** `kid: state`, oldest first. */
  async keys(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.rotations.list()).map(({ kid, state }) => [kid, state]));
  }

  async start(input: SigningKeyRotationInput = {}): Promise<Rotation> {
    const options = { taskQueue: OPERATIONS_QUEUE, workflowId: `rotation-${randomUUID()}`, args: [input] };
    return await this.#environment.client.workflow.start(signingKeyRotationWorkflow.type, options);
  }

  /** Skips time until the rotation has ended. */
  async end(rotation: Rotation): Promise<RotationProgress> {
    return (await rotation.result()) as RotationProgress;
  }

  /** Duration of the rotation, by the server's clock. */
  async tookMs(rotation: Rotation): Promise<number> {
    const { startTime, closeTime = startTime } = await rotation.describe();
    return closeTime.getTime() - startTime.getTime();
  }

  async progress(rotation: Rotation): Promise<RotationProgress> {
    return await rotation.query(rotationProgressQuery);
  }

  /** Waits until the next key is published and the rotation sleeps. Returns the id of that key. */
  async untilPublished(rotation: Rotation): Promise<string> {
    await until(async () => (await this.progress(rotation)).step === 'PUBLISHED');
    return (await this.progress(rotation)).kid ?? '';
  }

  /** Skips this time. */
  async skip(seconds: number): Promise<void> {
    await this.#environment.sleep(seconds * 1_000);
  }

  async close(): Promise<void> {
    await this.#stopWorker();
    await this.#environment.teardown();
    await this.#connection.dropDatabase();
    await this.#connection.close();
  }

  #disturbed(activities: SigningKeyRecords): SigningKeyRecords {
    const names = Object.keys(activities) as RotationActivityName[];
    const disturbed = names.map((name) => {
      const run = async (input: never) => {
        await this.startClock();
        this.#throwNext(`${name} before`);
        const answer = await activities[name](input);
        this.#throwNext(`${name} after`);
        return answer;
      };
      return [name, run] as const;
    });
    return Object.fromEntries(disturbed) as unknown as SigningKeyRecords;
  }

  #throwNext(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died: ${point}`);
  }
}
