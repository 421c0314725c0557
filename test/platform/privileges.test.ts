/** Tests how rights in manifests become privileges of the database and policies of the object store. */
import assert from 'node:assert/strict';
import { AREAS } from '../../activities/areas.ts';
import { accountOf, listAccountNames } from '../../ops/privileges/accounts.ts';
import { type Area, rolesOf } from '../../platform/area.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { toBucketPolicy } from '../../platform/privileges/bucket-policy.ts';
import { toDatabasePrivileges } from '../../platform/privileges/database-privileges.ts';
import { listProcesses, privilegesOf, usesObjects } from '../../platform/privileges/process-privileges.ts';

const PARCELS: Area = {
  name: 'parcels',
  collections: [
    {
      definition: new CollectionDefinition('test_parcels'),
      outbox: true,
      uses: { api: ['find', 'insert'], 'parcels-worker': ['update'] },
    },
    { definition: new CollectionDefinition('test_keys'), database: 'customerKeys', uses: { api: ['find'] } },
  ],
  objects: [{ prefix: 'parcels/', uses: { api: ['put'], 'parcels-worker': ['get', 'list'] } }],
};
const PLACES = { data: 'd', customerKeys: 'k', bucket: 'b' };

describe('the privileges of a process', () => {
  it('are those of its name in the manifests, and the look for an unfinished restore', () => {
    const { data, customerKeys, objects } = privilegesOf(['api'], [PARCELS]);
    assert.deepEqual([...(data.get('test_parcels') ?? [])], ['find', 'insert']);
    assert.deepEqual(
      [...data.keys()].filter((name) => name.startsWith('test_')),
      ['test_parcels'],
    );
    assert.deepEqual([...(data.get('restore_in_progress') ?? [])], ['find']);
    assert.deepEqual([...customerKeys.keys()], ['test_keys', 'restore_in_progress']);
    assert.deepEqual([...objects], [['parcels/', new Set(['put'])]]);
  });

  it('are nothing where no manifest names it', () => {
    const { data, customerKeys, objects } = privilegesOf(['stranger'], [PARCELS]);
    assert.deepEqual([[...data.keys()], customerKeys.size, objects.size], [['restore_in_progress'], 0, 0]);
    assert.equal(usesObjects(['stranger'], [PARCELS]), false);
  });

  it('are those of all parts where several share a process', () => {
    const { data, objects } = privilegesOf(['api', 'parcels-worker'], [PARCELS]);
    assert.deepEqual([...(data.get('test_parcels') ?? [])], ['find', 'insert', 'update']);
    assert.deepEqual([...(objects.get('parcels/') ?? [])], ['put', 'get', 'list']);
  });

  it('let only the relay read and change every collection with an outbox', () => {
    const relays = rolesOf(AREAS).filter(({ relay }) => relay);
    assert.deepEqual(
      relays.map(({ name }) => name),
      ['events-worker'],
    );
    const { data } = privilegesOf(['events-worker'], AREAS);
    assert.deepEqual([...(data.get('customer_profiles') ?? [])], ['find', 'update', 'watch']);
  });

  it('let the public planner read its pointer and its snapshots, and count requests', () => {
    const { data, customerKeys, objects } = privilegesOf(['journey-planner'], AREAS);
    const counted = new Set(['find', 'insert', 'update']);
    const [read, marked] = [new Set(['find']), new Set(['find'])];
    const expected = { planner_pointer: read, planner_rate_limits: counted, restore_in_progress: marked };
    assert.deepEqual(Object.fromEntries(data), expected);
    assert.deepEqual([customerKeys.size, Object.fromEntries(objects)], [0, { 'planner/': new Set(['get']) }]);
  });

  it('are named by processes that exist', () => {
    const servers = ['api', 'auth', 'client', 'codec', 'journey-planner', 'payment-page'];
    assert.deepEqual(listProcesses(AREAS), [...servers, ...rolesOf(AREAS).map(({ name }) => name)].sort());
    const areas: readonly Area[] = AREAS;
    const prefixes = areas.flatMap(({ objects = [] }) => objects.map(({ prefix }) => prefix));
    assert.ok(prefixes.every((prefix) => /^[a-z-]+\/$/.test(prefix)));
    assert.equal(new Set(prefixes).size, prefixes.length);
    const using = areas.flatMap(({ objects = [] }) => objects.flatMap(({ uses }) => Object.keys(uses)));
    assert.deepEqual(
      using.filter((name) => !listAccountNames().includes(name)),
      [],
    );
  });
});

describe('privileges of the database', () => {
  it('name the collection and the actions', () => {
    const privileges = toDatabasePrivileges(
      'd',
      new Map([['test_parcels', new Set(['find', 'watch', 'index'] as const)]]),
    );
    const actions = ['changeStream', 'collMod', 'createIndex', 'find', 'listIndexes'];
    assert.deepEqual(privileges, [{ resource: { db: 'd', collection: 'test_parcels' }, actions }]);
  });

  it('of a back-up read, and append to the audit log; those of the keys are apart', () => {
    const [backup, keys] = [accountOf('backup', PLACES), accountOf('backup-keys', PLACES)];
    const reading = { actions: ['find', 'listCollections', 'listIndexes'] };
    assert.deepEqual(backup.data, [
      { resource: { db: 'd', collection: '' }, ...reading },
      { resource: { db: 'd', collection: 'audit_entries' }, actions: ['insert'] },
    ]);
    assert.deepEqual(keys.customerKeys, [{ resource: { db: 'k', collection: '' }, ...reading }]);
    assert.deepEqual([backup.customerKeys, keys.data, keys.policy], [[], [], undefined]);
    const allowed = (backup.policy?.Statement ?? []).flatMap(({ Action }) => Action);
    assert.deepEqual(
      allowed.filter((action) => /Put|Delete|Abort/.test(action)),
      [],
    );
  });
});

describe('a policy of the object store', () => {
  it('allows objects below the prefix, and lists nothing else', () => {
    const policy = toBucketPolicy('b', new Map([['parcels/', new Set(['get', 'list'] as const)]]));
    assert.deepEqual(policy.Statement, [
      { Effect: 'Allow', Action: ['s3:GetBucketLocation'], Resource: ['arn:aws:s3:::b'] },
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: ['arn:aws:s3:::b'],
        Condition: { StringLike: { 's3:prefix': ['parcels/*'] } },
      },
      { Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::b/parcels/*'] },
    ]);
  });

  it('of a restore deletes everything but the anchors of the audit log', () => {
    const statements = accountOf('restore', PLACES).policy?.Statement ?? [];
    const denied = statements.filter(({ Effect }) => Effect === 'Deny');
    const Resource = ['arn:aws:s3:::b/audit-anchors/*'];
    assert.deepEqual(denied, [{ Effect: 'Deny', Action: ['s3:DeleteObject'], Resource }]);
  });

  it('lets a reader neither write nor delete nor list', () => {
    const policy = toBucketPolicy('b', new Map([['planner/', new Set(['get'] as const)]]));
    const actions = policy.Statement.flatMap(({ Action }) => Action);
    assert.deepEqual(actions, ['s3:GetBucketLocation', 's3:GetObject']);
  });
});
