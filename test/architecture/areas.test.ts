/**
 * Holds the manifests against the code, in both directions: every collection, topic, task queue, workflow, search attribute and area folder
 * stands in a manifest, and nothing stands there that the code does not have.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS } from '../../activities/areas.ts';
import { topicsOf } from '../../activities/events/topics.ts';
import { loadCompositions } from '../../api/shared/area-composition.ts';
import { type Area, collectionsOf, outboxesOf, rolesOf, searchAttributesOf } from '../../platform/area.ts';
import { PLATFORM_COLLECTIONS } from '../../platform/mongo/platform-collections.ts';
import { chooseRoles } from '../../workers/shared/choose-roles.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Folders of the API that are no areas: the base of all, and processes of their own. */
const NO_AREAS = ['shared', 'codec', 'journey-planner'];
/** The ways in which code names a collection. */
const DECLARATIONS = [
  /new CollectionDefinition(?:<[^(]*>)?\(\s*'([^']+)'/g,
  /_COLLECTION = '([^']+)'/g,
  /\.collection(?:<[^(]*>)?\(\s*'([^']+)'/g,
];
const areas: readonly Area[] = AREAS;

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

/** First groups of all matches, each once. */
function findAll(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))].sort();
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

describe('the manifests of the areas', () => {
  it('name every folder of an area, and each has a folder', () => {
    const named = sorted(areas.map(({ name }) => name));
    assert.deepEqual(sorted(foldersIn('activities')), named);
    assert.deepEqual(
      sorted(foldersIn('workflows')).filter((name) => !named.includes(name)),
      [],
    );
    const served = areas.filter(({ servedBy }) => servedBy !== undefined).map(({ name }) => name);
    assert.deepEqual(sorted(foldersIn('api')), sorted(served));
    for (const name of served) assert.ok(existsSync(join(ROOT, `api/${name}/openapi.yaml`)), name);
  });

  it('name every collection that a store declares', () => {
    const code = sourcesIn('activities', 'api', 'platform');
    const declared = sorted(DECLARATIONS.flatMap((pattern) => findAll(code, pattern)));
    assert.ok(declared.length > 10);
    const named = collectionsOf(areas).map(({ definition }) => definition.collection);
    assert.equal(new Set(named).size, named.length, 'a collection stands in two manifests');
    assert.deepEqual(
      sorted([...named, ...PLATFORM_COLLECTIONS.map(({ definition }) => definition.collection)]),
      declared,
    );
  });

  it('name every topic that events are written to', () => {
    const code = sourcesIn('activities');
    const written = [
      ...findAll(code, /`([a-z]+(?:-[a-z]+)+)-\$\{[\w.]*nvironment\}`/g),
      // Of event families.
      ...findAll(code, /^ {2}topic: '([a-z]+(?:-[a-z]+)+)',$/gm),
    ];
    assert.deepEqual(sorted(areas.flatMap(({ topics = [] }) => topics.map(({ name }) => name))), sorted(written));
    assert.ok(topicsOf(areas, 'dev').has('customer-changed-dev'));
    assert.ok(outboxesOf(areas).length > 0);
  });

  it('name topics as the events document does', () => {
    const text = readFileSync(join(ROOT, 'api/events/openapi.yaml'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const { name, key, events } of areas.flatMap(({ topics = [] }) => topics)) {
      const line = `\`${name}-{env}\`, key ${key}: ${events.map((event) => `\`${event}\``).join(', ')}.`;
      assert.ok(text.includes(line), `api/events/openapi.yaml does not say: ${line}`);
    }
    assert.equal(findAll(text, /`([a-z-]+)-\{env\}`/g).length, areas.flatMap(({ topics = [] }) => topics).length);
  });

  it('name every workflow and every task queue once', async () => {
    const roles = rolesOf(areas);
    const workflows = roles.flatMap((role) => (role.queue === undefined ? [] : role.workflows));
    assert.deepEqual([...workflows].sort(), Object.keys(await import('../../workflows/index.ts')).sort());
    const queues = roles.flatMap(({ queue }) => queue ?? []);
    assert.equal(new Set(queues).size, queues.length);
    assert.deepEqual([...queues].sort(), findAll(sourcesIn('workflows'), /export const \w+_QUEUE = '([^']+)'/g));
    for (const role of roles) {
      if (role.queue !== undefined) assert.equal(role.versioning === undefined, role.workflows.length === 0, role.name);
    }
  });

  it('name every search attribute that workflows set, except those of Temporal', () => {
    const set = findAll(sourcesIn('workflows'), /defineSearchAttributeKey\(\s*'(?!Temporal)([^']+)'/g);
    assert.deepEqual(
      searchAttributesOf(areas)
        .map(({ name }) => name)
        .sort(),
      set,
    );
  });

  it('give no two roles one name or one port', () => {
    for (const key of ['name', 'port'] as const) {
      const values = rolesOf(areas).map((role) => role[key]);
      assert.equal(new Set(values).size, values.length, key);
    }
  });

  it('lead to the code of each role, and of each area that the API serves', async () => {
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
