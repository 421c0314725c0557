/**
 * Compares the secrets in the environment of each process of a local stack with those that its configuration reads. The
 * composition has such a check in test/docker.
 */
import assert from 'node:assert/strict';
import { type KnownConfig, readConfig } from '../../dev/docker/check/read-config.ts';
import { MADE_BY_BUILD } from '../../dev/docker/image-files.ts';
import { SETTINGS } from '../../dev/stack/passed-on.ts';
import type { ProcessName, RunnableName } from '../../dev/stack/process-names.ts';
import {
  describeProcess,
  PROCESS_NAMES,
  type ProcessSetting,
  processEnvironment,
  SHARED_PROCESSES,
} from '../../dev/stack/processes.ts';
import { createServiceSecrets } from '../../dev/stack/secrets.ts';

const secrets = createServiceSecrets();

const SETTING: ProcessSetting = {
  servers: { TEMPORAL_ADDRESS: '127.0.0.1:7233' },
  customerKeysUri: 'mongodb://127.0.0.1/keys',
  secrets,
  audience: 'https://api.test',
  url: () => 'http://127.0.0.1:8080',
  workflowBundle: '',
  plannerBundle: '',
  plannerCache: '',
};

/** A stack sets them with the addresses of its servers, which {@link SETTING} lacks. */
const OF_STACK: ReadonlySet<string> = new Set(['S3_BUCKET', 'S3_REGION', 'TEMPORAL_NAMESPACE']);

const configs = new Map<ProcessName, Promise<KnownConfig>>();

/** What the process itself says that it reads. Each is asked once, as it starts for that. */
function configOf(name: ProcessName): Promise<KnownConfig> {
  const asked = configs.get(name) ?? askForConfig(name);
  configs.set(name, asked);
  return asked;
}

async function askForConfig(name: ProcessName): Promise<KnownConfig> {
  const { entry, args = [] } = describeProcess(name);
  const source = typeof entry === 'string' ? entry : MADE_BY_BUILD['dev/planner/build.ts']?.from;
  return await readConfig(String(source), args, {});
}

/** The variables whose values hold a secret. */
function secretsOf(name: RunnableName): readonly string[] {
  const values = Object.values<string>(secrets as never);
  const given = Object.entries(processEnvironment(name, SETTING));
  return given.flatMap(([variable, value]) => (values.some((each) => value?.includes(each)) ? [variable] : [])).sort();
}

const ALL = [...new Set(PROCESS_NAMES.flatMap(secretsOf))].sort();

describe('The secrets of a local stack', () => {
  for (const name of PROCESS_NAMES) {
    it(`are in the environment of ${name} if it reads them`, async () => {
      const { known } = await configOf(name);
      const read = new Set(known.map((each) => each.name));
      assert.deepEqual(
        secretsOf(name),
        ALL.filter((variable) => read.has(variable)),
      );
    });
  }

  for (const [name, { parts }] of Object.entries(SHARED_PROCESSES)) {
    it(`are in the environment of ${name} if a part reads them`, () => {
      assert.deepEqual(secretsOf(name as RunnableName), [...new Set(parts.flatMap(secretsOf))].sort());
    });
  }

  it('are all assigned to a process but those of servers and back-ups', () => {
    assert.deepEqual(ALL, [
      'AUDIT_KEYS',
      'CLIENT_SECRET_KEY',
      'CUSTOMER_MASTER_KEYS',
      'CUSTOMER_SEARCH_KEY',
      'IDEMPOTENCY_KEYS',
      'KEY_ENCRYPTION_KEY',
      'PAYLOAD_KEYS',
      'PAYMENT_PAGE_KEYS',
      'PAYMENT_SIMULATOR_SECRET',
      'PLANNER_ID_KEYS',
      'PLANNER_SIGNING_KEYS',
      'WEBHOOK_KEYS',
    ]);
  });
});

describe('The settings that processes of a local stack take over from their starter', () => {
  it('are those that have a default and that no stack sets', async () => {
    const open = PROCESS_NAMES.map(async (name) => {
      const given = new Set(Object.keys(processEnvironment(name, SETTING)));
      const { known } = await configOf(name);
      return known.flatMap((each) => (each.required || given.has(each.name) ? [] : [each.name]));
    });
    const all = new Set((await Promise.all(open)).flat());
    const notInLists = [...all].filter((name) => !OF_STACK.has(name)).sort();
    assert.deepEqual(notInLists, [...SETTINGS], 'complete SETTINGS in dev/stack/passed-on.ts');
  });
});
