/**
 * Customers on a real database and a real Temporal server, in real time. A worker runs the workflows with their real
 * activities, which can fail before or after their effect.
 */
import '../../support/quiet-temporal.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Connection } from 'mongoose';
import type { NewProfile, Write } from '../../../activities/customers/customer-types.ts';
import { createErasureActivities } from '../../../activities/customers/erasure-activities.ts';
import { profileCollection } from '../../../activities/customers/profile-document.ts';
import { ProfileLifecycleStore } from '../../../activities/customers/profile-lifecycle-store.ts';
import { ProfileStore } from '../../../activities/customers/profile-store.ts';
import { SearchKeys } from '../../../activities/customers/search-keys.ts';
import { createTemporaryProfileActivities } from '../../../activities/customers/temporary-profile-activities.ts';
import { IdempotencyStore } from '../../../platform/idempotency/idempotency-store.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { storedAnswersStep } from '../../../platform/personal/stored-answers-step.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { createDataConverter, TemporalClient } from '../../../platform/temporal/temporal.ts';
import {
  type CustomerInput,
  type ErasureProgress,
  profileErasureWorkflowId,
  SALES_CUSTOMERS_QUEUE,
  type TemporaryProfileResult,
  temporaryProfileWorkflowId,
} from '../../../workflows/customers/messages.ts';
import type { CustomerNumber, OrganisationId } from '../../../workflows/shared/ids.ts';
import { useWorkflowBundle } from '../../support/bundle.ts';
import { useMongo, useTemporal } from '../../support/stack.ts';
import { PAYLOAD_KEYS } from '../payload-keys.ts';
import type { CustomerActivities, CustomerActivityName, Fault } from './customer-world.ts';

export const OURS = 1 as OrganisationId;
const KEYS = { masterKeys: parseKeyRing(`m1:${randomBytes(32).toString('base64')}`, 'M'), search: randomBytes(32) };

export class RealCustomers {
  readonly log = createLog({ level: 'silent', name: 'test' });
  readonly connection: Connection;
  readonly keysConnection: Connection;
  readonly keys: SubjectKeys;
  readonly profiles: ProfileStore;
  readonly lifecycle: ProfileLifecycleStore;
  readonly answers: IdempotencyStore;
  readonly temporal: TemporalClient;
  readonly #address: string;
  readonly #faults = new Map<string, number>();
  #stopWorker: (() => Promise<void>) | undefined;

  /** `name`: prefix of the databases of this test. */
  static async open(name: string): Promise<RealCustomers> {
    const [{ uri }, { address }] = [await useMongo(), await useTemporal()];
    const connections = [await connectMongo(uri(name)), await connectMongo(uri(`${name}-keys`))] as const;
    const customers = new RealCustomers(address, ...connections);
    await Promise.all([
      customers.profiles.ensureIndexes(),
      customers.keys.ensureIndexes(),
      customers.answers.ensureIndexes(),
    ]);
    return customers;
  }

  private constructor(address: string, connection: Connection, keysConnection: Connection) {
    this.connection = connection;
    this.keysConnection = keysConnection;
    this.keys = new SubjectKeys({ connection: keysConnection, masterKeys: KEYS.masterKeys });
    const searchKeys = new SearchKeys(KEYS.search);
    const options = { connection, keys: this.keys, searchKeys, environment: 'dev' } as const;
    this.profiles = new ProfileStore(options);
    this.lifecycle = new ProfileLifecycleStore(options);
    this.answers = new IdempotencyStore(connection);
    this.#address = address;
    this.temporal = new TemporalClient({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  }

  /** Starts a worker process; its queue serves one test file at a time. */
  async startWorker(): Promise<void> {
    const connection = await NativeConnection.connect({ address: this.#address });
    const worker = await Worker.create({
      connection,
      activities: this.#activities(),
      dataConverter: createDataConverter(PAYLOAD_KEYS),
      workflowBundle: { code: (await useWorkflowBundle()).code },
      taskQueue: SALES_CUSTOMERS_QUEUE,
    });
    const running = worker.run();
    this.#stopWorker = async () => {
      worker.shutdown();
      await running;
      await connection.close();
    };
  }

  async close(): Promise<void> {
    await this.#stopWorker?.();
    await this.temporal.close();
    await Promise.all([this.connection.close(), this.keysConnection.close()]);
  }

  /** Makes the activity fail this often for this customer. */
  breakOn(name: CustomerActivityName, when: Fault, customerNumber: CustomerNumber, times = 2): void {
    this.#faults.set(`${name} ${when} ${customerNumber}`, times);
  }

  /** Creates a profile by a new request, without its workflow. */
  async create(more: Partial<NewProfile>): Promise<CustomerInput> {
    const { customerNumber, organisationId } = await this.profiles.create(
      {
        organisationId: OURS,
        profileType: 'TEMPORARY',
        languagePreference: 'nob',
        createdBy: 'desk 4',
        createdByChannel: 'support',
        firstName: 'Kari',
        ...more,
      },
      request(),
    );
    return { customerNumber, organisationId };
  }

  /** Prepares a conversion as the handler does. */
  async prepare({ customerNumber, organisationId }: CustomerInput): Promise<string> {
    const named = { firstName: 'Kari', surname: 'Lie', email: `${customerNumber}@example.no` };
    const change = (present: object) => ({ ...present, ...named }) as never;
    const prepared = await this.profiles.prepareConversion(organisationId, customerNumber, change, request());
    if (!('conversionId' in prepared)) throw new Error('It is converted already');
    return prepared.conversionId;
  }

  async delete({ customerNumber, organisationId }: CustomerInput, type: 'PERMANENT' | 'TEMPORARY'): Promise<void> {
    await this.profiles.beginErasure(organisationId, customerNumber, type, request());
  }

  async stored({ customerNumber }: CustomerInput) {
    const found = await profileCollection(this.connection).findOne({ _id: customerNumber });
    if (!found) throw new Error('There is no such profile');
    return found;
  }

  async end({ customerNumber }: CustomerInput): Promise<TemporaryProfileResult> {
    const handle = this.temporal.client.workflow.getHandle(temporaryProfileWorkflowId(customerNumber));
    return (await handle.result()) as TemporaryProfileResult;
  }

  async erased({ customerNumber }: CustomerInput): Promise<ErasureProgress> {
    const handle = this.temporal.client.workflow.getHandle(profileErasureWorkflowId(customerNumber));
    return (await handle.result()) as ErasureProgress;
  }

  #activities(): CustomerActivities {
    const { lifecycle: profiles, answers, log } = this;
    const real: CustomerActivities = {
      ...createTemporaryProfileActivities({ profiles }),
      ...createErasureActivities({ profiles, steps: [storedAnswersStep(answers)], log }),
    };
    const entries = Object.entries(real).map(([name, activity]) => {
      const run = activity as (input: CustomerInput) => Promise<unknown>;
      const broken = async (input: CustomerInput) => {
        this.#dieAt(`${name} before ${input.customerNumber}`);
        const answer = await run(input);
        this.#dieAt(`${name} after ${input.customerNumber}`);
        return answer;
      };
      return [name, broken] as const;
    });
    return Object.fromEntries(entries) as unknown as CustomerActivities;
  }

  #dieAt(point: string): void {
    const left = this.#faults.get(point) ?? 0;
    if (left === 0) return;
    this.#faults.set(point, left - 1);
    throw new Error(`died ${point}`);
  }
}

export function request(): Write {
  const workId = randomUUID();
  return { workId, correlationId: workId, organisationId: OURS, by: 'desk 4', channel: 'support' };
}
