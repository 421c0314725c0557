/**
 * Runs the customers area on a real server and real databases, with a small catalogue. Tokens are plain
 * `client/organisation/scopes` where a test does not need real ones. The workflow service only records its calls unless
 * a test gives one.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { EMPTY_CATALOGUE } from '../../../activities/catalogue/catalogue-content.ts';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import type { CustomerStoreOptions } from '../../../activities/customers/customer-config.ts';
import { Passwords } from '../../../activities/customers/passwords.ts';
import { ProfileLifecycleStore } from '../../../activities/customers/profile-lifecycle-store.ts';
import { SearchKeys } from '../../../activities/customers/search-keys.ts';
import type { CatalogueContent } from '../../../activities/shared/catalogue.ts';
import { composeCustomers, ensureCustomerIndexes } from '../../../api/customers/compose.ts';
import type { CustomersDependencies, CustomerWorkflows, LoginLimits } from '../../../api/customers/dependencies.ts';
import { createCustomersArea } from '../../../api/customers/routes.ts';
import { createApp } from '../../../api/shared/app.ts';
import type { Caller } from '../../../api/shared/operation.ts';
import type { RequestContext } from '../../../api/shared/request-context.ts';
import { serve } from '../../../api/shared/serve.ts';
import { parseKeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { AnswerSeal } from '../../../platform/personal/answer-seal.ts';
import { SubjectKeys } from '../../../platform/personal/subject-keys.ts';
import { TemporalClient } from '../../../platform/temporal/temporal.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { useMongo } from '../../support/stack.ts';
import { type Answer, type CallOptions, send } from '../support/call.ts';
import { keyedRequests } from '../support/keyed-requests.ts';
import { readPlainToken, silentLog } from '../support/parcels.ts';

export const PAYLOAD_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
const SCOPES = 'profiles:read,profiles:write,profiles:authenticate,consents:read,consents:write';
/** Tokens of organisation 1, of organisation 2, and of organisation 1 with the right to every organisation. */
export const OWN = `web/1/${SCOPES}`;
export const OTHER = `other/2/${SCOPES}`;
export const OPERATOR = `operator/1/${SCOPES},organisation:any`;
export const WEB = 'ABC:DistributionChannel:Web';
export const CREATED_BY = { createdBy: 'web', createdByChannel: WEB };
export const CHANGED_BY = { changedBy: 'desk', changedByChannel: WEB };
export const BASE = '/customers/v2';

const channel = (id: string, ...organisationIds: number[]) => ({
  id,
  organisationIds: organisationIds as OrganisationId[],
  paymentMethods: [],
  refundPaymentTypeGroups: [],
  autoDistribute: false,
  defaultLanguage: 'nob' as const,
  currency: 'NOK',
  returnOrigins: [],
});
const terms = [{ lang: 'eng' as const, value: 'We may write to you.' }];
const CATALOGUE: CatalogueContent = {
  ...EMPTY_CATALOGUE,
  organisations: [1, 2].map((id) => ({ id: id as OrganisationId, name: `Organisation ${id}` })),
  distributionChannels: [channel(WEB, 1, 2), channel('ABC:DistributionChannel:Elsewhere', 2)],
  consentDefinitions: [
    { consentCode: 'NEWSLETTER', version: 1, terms },
    { consentCode: 'NEWSLETTER', version: 2, terms },
    { consentCode: 'TRACKING', version: 1, terms },
    { consentCode: 'OF_TWO', version: 1, terms, ownerOrganisationId: 2 as OrganisationId },
  ],
};

export interface CustomersServer {
  readonly url: string;
  readonly connection: Connection;
  readonly options: CustomerStoreOptions;
  readonly dependencies: CustomersDependencies;
  /** Calls of the workflow service, for example `startTemporaryProfile 4837201956`. */
  readonly workflowCalls: string[];
  /** While true, the workflow service is unavailable. */
  workflowsAway: boolean;
  /** The clock of stores and handlers; undefined is the real time. */
  now: Date | undefined;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Returns the number of the new profile. */
  createProfile(content?: object, token?: string): Promise<string>;
  createTemporary(content?: object, token?: string): Promise<string>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly temporal?: TemporalClient;
  readonly loginLimits?: LoginLimits;
  /** Default: hashes that cost little, so that tests do not wait for them. */
  readonly passwords?: Passwords;
  readonly verifyToken?: (context: RequestContext) => Promise<Caller>;
}

export async function startCustomers(options: StartOptions = {}): Promise<CustomersServer> {
  const mongo = await useMongo();
  const name = `customers-api-${randomUUID().slice(0, 8)}`;
  const [connection, keysConnection] = await Promise.all([
    connectMongo(mongo.uri(name)),
    connectMongo(mongo.uri(`${name}-keys`)),
  ]);
  const state: { now: Date | undefined; workflowsAway: boolean } = { now: undefined, workflowsAway: false };
  const now = () => state.now ?? new Date();
  const masterKeys = parseKeyRing(`test:${randomBytes(32).toString('base64')}`, 'CUSTOMER_MASTER_KEYS');
  const keys = new SubjectKeys({ connection: keysConnection, masterKeys });
  const storeOptions: CustomerStoreOptions = {
    connection,
    keys,
    searchKeys: new SearchKeys(randomBytes(32)),
    environment: 'dev',
    now,
  };
  const catalogue = new CatalogueStore(connection);
  await catalogue.replace(CATALOGUE);
  const temporal =
    options.temporal ??
    new TemporalClient({ TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_NAMESPACE: 'default', PAYLOAD_KEYS });
  const composed = composeCustomers({
    options: storeOptions,
    temporal,
    catalogue,
    loginLimits: options.loginLimits ?? { perProfile: 100, perProfileAndAddress: 10, perAddress: 1_000 },
    passwords: options.passwords ?? new Passwords({ cost: { ln: 10, r: 8, p: 1 } }),
  });
  const workflowCalls: string[] = [];
  const dependencies = options.temporal
    ? composed
    : {
        ...composed,
        workflows: listingWorkflows(new ProfileLifecycleStore(storeOptions), workflowCalls, () => state.workflowsAway),
      };
  const idempotency = keyedRequests(connection);
  await Promise.all([idempotency.store.ensureIndexes(), ensureCustomerIndexes(dependencies)]);
  const app = createApp({
    areas: [createCustomersArea(dependencies)],
    log: silentLog,
    verifyToken: options.verifyToken ?? readPlainToken,
    idempotency,
    answerSeal: new AnswerSeal(keys),
  });
  const server = await serve(app, { host: '127.0.0.1', port: 0, graceMs: 1_000 });
  const call = (path: string, { token = OWN, ...callOptions }: CallOptions = {}) =>
    send(`${server.url}${BASE}${path}`, { token, ...callOptions });
  return {
    url: server.url,
    connection,
    options: storeOptions,
    dependencies,
    workflowCalls,
    call,
    get workflowsAway() {
      return state.workflowsAway;
    },
    set workflowsAway(away) {
      state.workflowsAway = away;
    },
    get now() {
      return state.now;
    },
    set now(date) {
      state.now = date;
    },
    createProfile: async (content = {}, token = OWN) =>
      (await call('/profiles/', { body: newProfile(content), token })).json.customerNumber,
    createTemporary: async (content = {}, token = OWN) =>
      (await call('/profiles/temporary', { body: newTemporary(content), token })).json.customerNumber,
    close: async () => {
      await server.close();
      await temporal.close();
      await Promise.all([connection.dropDatabase(), keysConnection.dropDatabase()]);
      await Promise.all([connection.close(), keysConnection.close()]);
    },
  };
}

/** A complete profile, by default of organisation 1 and with a unique e-mail address. */
export function newProfile(content: object = {}): Record<string, unknown> {
  const email = `kari-${randomUUID()}@example.no`;
  return { firstName: 'Kari', surname: 'Nordmann', email, organisationId: 1, ...CREATED_BY, ...content };
}

export function newTemporary(content: object = {}): Record<string, unknown> {
  return { organisationId: 1, expirationDate: inDays(30), ...CREATED_BY, ...content };
}

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

function listingWorkflows(
  lifecycle: ProfileLifecycleStore,
  workflowCalls: string[],
  isAway: () => boolean,
): CustomerWorkflows {
  const note = (name: string) => async (input: { readonly customerNumber: string }) => {
    if (isAway()) throw Object.assign(new Error('no workflow service'), { code: 14, details: '' });
    workflowCalls.push(`${name} ${input.customerNumber}`);
  };
  return {
    startTemporaryProfile: note('startTemporaryProfile'),
    signalExpirationChanged: note('signalExpirationChanged'),
    signalEraseNow: note('signalEraseNow'),
    startProfileErasure: note('startProfileErasure'),
    // The step that the workflow would run.
    convert: async (conversion) => {
      await note('convert')(conversion);
      return await lifecycle.convert(conversion.organisationId, conversion.customerNumber, conversion.conversionId);
    },
  };
}
