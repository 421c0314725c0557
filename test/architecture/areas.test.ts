/**
 * Compares the manifests with the code, in both directions: collections, topics, task queues, workflows, search
 * attributes and area folders. Each must be in a manifest, and a manifest may name only what the code has.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AREAS } from '../../activities/areas.ts';
import { SCOPES } from '../../activities/auth/client-scopes.ts';
import { topicsOf } from '../../activities/events/topics.ts';
import { loadCompositions } from '../../api/shared/area-composition.ts';
import { loadDocument } from '../../api/shared/openapi-document.ts';
import { CONTRACTS } from '../../dev/contract/areas.ts';
import {
  type Area,
  type CollectionEntry,
  collectionsOf,
  outboxesOf,
  rolesOf,
  searchAttributesOf,
} from '../../platform/area.ts';
import { CollectionDefinition } from '../../platform/mongo/collection.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';
import { chooseRoles } from '../../workers/shared/choose-roles.ts';
import { manifestFaults } from './manifest-faults.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Folders of the API that are not areas: the shared base and separate processes. */
const NO_AREAS = ['shared', 'codec', 'journey-planner'];
/** Patterns by which code names a collection. */
const DECLARATIONS = [
  /new CollectionDefinition(?:<[^(]*>)?\(\s*'([^']+)'/g,
  /_COLLECTION = '([^']+)'/g,
  /\.collection(?:<[^(]*>)?\(\s*'([^']+)'/g,
];
const areas: readonly Area[] = AREAS;

/** An area without a fault. */
const PARCELS: Area = {
  name: 'parcels',
  collections: [
    {
      definition: new CollectionDefinition('test_parcels'),
      outbox: true,
      personal: true,
      uses: { 'sales-customers-worker': ['find', 'update'] },
    },
  ],
  topics: [{ name: 'parcel-changed', key: 'parcelId', events: ['ParcelSent'] }],
  subjectKinds: [
    { kind: 'parcel', listKept: async () => async () => new Set(), listErased: async () => Readable.from([]) },
  ],
  erasureSteps: async () => [],
};
const { erasureSteps: _, ...withoutSteps } = PARCELS;
const [{ definition, uses }] = PARCELS.collections as [CollectionEntry];

/** PARCELS with a mistake that no process would report. */
const SILENT_MISTAKES: readonly (readonly [what: string, area: Area, fault: RegExp])[] = [
  [
    'topics without an outbox',
    { ...PARCELS, collections: [{ definition, uses, personal: true }] },
    /activities\/parcels\/area\.ts names topics: .*`outbox: true`/,
  ],
  [
    'a subject kind without a personal collection',
    { ...PARCELS, collections: [{ definition, uses, outbox: true }] },
    /activities\/parcels\/area\.ts names subject kinds: .*`personal: true`/,
  ],
  [
    'a subject kind without erasure steps',
    withoutSteps,
    /activities\/parcels\/area\.ts has personal data: .*`erasureSteps`/,
  ],
  [
    'personal data that the worker of the erasure cannot remove',
    {
      ...PARCELS,
      collections: [{ definition, outbox: true, personal: true, uses: { 'sales-customers-worker': ['find'] } }],
    },
    /sales-customers-worker runs the erasure steps, so give it .* on test_parcels/,
  ],
  [
    'a subject kind of another area',
    { ...PARCELS, name: 'letters' },
    /activities\/letters\/area\.ts names the subject kind parcel, which activities\/parcels\/area\.ts names/,
  ],
];

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !NO_AREAS.includes(entry.name)).map(({ name }) => name);
}

function sourcesIn(...folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('area.ts'))
        .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    )
    .join('\n');
}

/** The first groups of all matches, without duplicates. */
function findAll(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))].sort();
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

describe('the manifests of the areas', () => {
  it('name every folder of an area, and each has a folder', () => {
    const named = sorted(areas.map(({ name }) => name));
    const LISTED = 'each folder of an area has its manifest in activities/areas.ts, and each manifest its folder';
    assert.deepEqual(sorted(foldersIn('activities')), named, LISTED);
    const unnamed = sorted(foldersIn('workflows')).filter((name) => !named.includes(name));
    assert.deepEqual(unnamed, [], 'name the area of each folder of workflows/ in activities/areas.ts');
    const served = areas.filter(({ servedBy }) => servedBy !== undefined).map(({ name }) => name);
    const SERVED = 'activities/<area>/area.ts says by `servedBy` whether there is a folder api/<area>';
    assert.deepEqual(sorted(foldersIn('api')), sorted(served), SERVED);
    for (const name of served) assert.ok(existsSync(join(ROOT, `api/${name}/openapi.yaml`)), name);
  });

  it('name every collection that a store declares', () => {
    const code = sourcesIn('activities', 'api', 'platform');
    const declared = sorted(DECLARATIONS.flatMap((pattern) => findAll(code, pattern)));
    assert.ok(declared.length > 10);
    const named = collectionsOf(areas).map(({ definition }) => definition.collection);
    assert.equal(new Set(named).size, named.length, 'a collection stands in two manifests');
    const platform = PLATFORM_COLLECTIONS.map(({ definition }) => definition.collection);
    const LISTED = 'name each collection, and only those, in `collections` of activities/<area>/area.ts';
    assert.deepEqual(sorted([...named, ...platform]), declared, LISTED);
  });

  it('name every topic that events are written to', () => {
    const code = sourcesIn('activities');
    const written = [
      ...findAll(code, /`([a-z]+(?:-[a-z]+)+)-\$\{[\w.]*nvironment\}`/g),
      // Topics that event families name.
      ...findAll(code, /^ {2}topic: '([a-z]+(?:-[a-z]+)+)',$/gm),
      ...findAll(code, /\{ topic: '([a-z]+(?:-[a-z]+)+)', types: /g),
    ];
    const named = areas.flatMap(({ topics = [] }) => topics.map(({ name }) => name));
    const LISTED = 'name each topic, and only those, in `topics` of activities/<area>/area.ts';
    assert.deepEqual(sorted(named), sorted(written), LISTED);
    assert.ok(topicsOf(areas, 'dev').has('customer-changed-dev'));
    assert.ok(outboxesOf(areas).length > 0);
  });

  it('name topics as the events document does', () => {
    const text = readFileSync(join(ROOT, 'api/events/openapi.yaml'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const { name, key } of areas.flatMap(({ topics = [] }) => topics)) {
      const told = `\`${name}-{env}\`, key ${key}`;
      assert.ok(text.includes(told), `api/events/openapi.yaml does not say: ${told}`);
    }
    const described = findAll(text, /`([a-z-]+)-\{env\}`/g);
    const named = sorted(areas.flatMap(({ topics = [] }) => topics.map(({ name }) => name)));
    assert.deepEqual(described, named, 'api/events/openapi.yaml describes a topic that no manifest names');
  });

  it('name every workflow and every task queue once', async () => {
    const roles = rolesOf(areas);
    const workflows = roles.flatMap((role) => (role.queue === undefined ? [] : role.workflows));
    const exported = Object.keys(await import('../../workflows/index.ts'));
    const LISTED = 'export each workflow in workflows/index.ts, and name it in a role of activities/<area>/area.ts';
    assert.deepEqual([...workflows].sort(), exported.sort(), LISTED);
    const queues = roles.flatMap(({ queue }) => queue ?? []);
    assert.equal(new Set(queues).size, queues.length, `two roles have one queue: ${queues.join(', ')}`);
    const declared = findAll(sourcesIn('workflows'), /export const \w+_QUEUE = '([^']+)'/g);
    const QUEUES = 'each queue of workflows/<area>/messages.ts has one role in activities/<area>/area.ts';
    assert.deepEqual([...queues].sort(), declared, QUEUES);
    for (const role of roles) {
      if (role.queue !== undefined) assert.equal(role.versioning === undefined, role.workflows.length === 0, role.name);
    }
  });

  it('name every search attribute that workflows set, except those of Temporal', () => {
    const set = findAll(sourcesIn('workflows'), /defineSearchAttributeKey\(\s*'(?!Temporal)([^']+)'/g);
    const named = searchAttributesOf(areas).map(({ name }) => name);
    const LISTED =
      'name what search-attributes.ts of workflows/<area> or workflows/shared defines in activities/<area>/area.ts';
    assert.deepEqual(named.sort(), set, LISTED);
  });

  it('give no two roles one name or one port', () => {
    for (const key of ['name', 'port'] as const) {
      const values = rolesOf(areas).map((role) => role[key]);
      const repeated = values.filter((value, at) => values.indexOf(value) !== at);
      assert.deepEqual(repeated, [], `two roles have one ${key}: change it in one activities/<area>/area.ts`);
    }
  });

  it('leave no event without a relay, and no personal data without an erasure', () => {
    assert.deepEqual(manifestFaults(areas), []);
    assert.deepEqual(manifestFaults([PARCELS]), []);
    assert.ok(areas.some(({ subjectKinds = [] }) => subjectKinds.length > 0));
  });

  for (const [what, area, fault] of SILENT_MISTAKES) {
    it(`are refused with ${what}`, () => {
      const faults = manifestFaults(area.name === PARCELS.name ? [area] : [PARCELS, area]);
      assert.match(faults.join('; '), fault);
      assert.equal(faults.length, 1);
    });
  }

  it('have a recorded history of each workflow', () => {
    const histories = readdirSync(join(ROOT, 'test/histories'));
    const workflows = rolesOf(areas).flatMap((role) => (role.queue === undefined ? [] : role.workflows));
    const prefixOf = (workflow: string) => `${workflow.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-`;
    const missing = workflows.filter((workflow) => !histories.some((file) => file.startsWith(prefixOf(workflow))));
    assert.ok(workflows.length > 3);
    assert.deepEqual(missing, [], 'record a history of each end of these workflows into test/histories');
  });

  it('name areas and workers as the overview does', () => {
    const text = readFileSync(join(ROOT, 'docs/overview.md'), 'utf8');
    const listed = /An \*area\* \(([^)]+)\)/.exec(text)?.[1]?.split(', ') ?? [];
    const LISTED = 'docs/overview.md says which areas there are';
    assert.deepEqual(sorted(listed), sorted(areas.map(({ name }) => name)), LISTED);
    const missing = rolesOf(areas).filter(({ name }) => !text.includes(`[${name}]`));
    assert.deepEqual(missing, [], 'add these workers to the drawing in docs/overview.md');
  });

  it('serve no operation whose scope no client can have', () => {
    const needed = CONTRACTS.flatMap(({ document }) => {
      const { operations } = loadDocument(document, 'Service');
      return operations.flatMap(({ scopes = [] }) => scopes);
    });
    assert.ok(needed.length > 20);
    const unknown = sorted(needed).filter((scope) => !SCOPES.includes(scope));
    assert.deepEqual(unknown, [], 'add these scopes to a list of activities/auth/client-scopes.ts');
  });

  it('load the code of each role, and of each area that the API serves', async () => {
    for (const role of rolesOf(areas)) assert.equal(typeof (await role.load()).create, 'function', role.name);
    const composed = await loadCompositions(areas);
    assert.ok(composed.length > 3);
    const missing: Area = { name: 'nowhere', servedBy: 'api', collections: [] };
    await assert.rejects(
      loadCompositions([missing]),
      /manifest of nowhere .* api\/nowhere\/compose\.ts cannot be loaded/,
    );
  });

  it('let a process run light roles together, and a heavy one alone', () => {
    const names = (words: readonly string[]) => chooseRoles(words, areas).map(({ name }) => name);
    assert.deepEqual(names(['events-worker']), ['events-worker']);
    assert.ok(names(['light']).length > 3);
    assert.ok(!names(['light']).includes('planner-build-worker'));
    assert.throws(() => names(['light', 'planner-build-worker']), /must run alone in its process/);
    assert.throws(() => names(['no-worker']), /no worker role no-worker; there are /);
    assert.throws(() => names([]), /Name the worker roles/);
  });
});
