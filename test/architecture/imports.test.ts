/**
 * Checks the import directions of docs/overview.md: which folder may import which, and that no import cycle exists.
 * Type-only imports count too.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const AREAS = [
  'api',
  'workflows',
  'activities',
  'workers',
  'platform',
  'ops',
  'netex',
  'planner',
  'barcode',
  'gtfs-to-netex',
  'docker',
  'dev',
];

interface ImportEdge {
  readonly from: string;
  /** The path in the project, or the specifier of a package or built-in module. */
  readonly to: string;
}

function sourceFiles(directory: string): string[] {
  try {
    return readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(directory, file));
  } catch {
    return [];
  }
}

function importsOf(file: string): ImportEdge[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g),
    ...text.matchAll(/new URL\(\s*['"](\.[^'"]+\.ts)['"]\s*,\s*import\.meta\.url/g),
  ].map((match) => match[1] as string);
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier,
  }));
}

const edges = AREAS.flatMap(sourceFiles).flatMap(importsOf);
const isPackage = (to: string): boolean => !AREAS.some((area) => to.startsWith(`${area}/`));
const isBuiltin = (to: string): boolean => to.startsWith('node:') || builtinModules.includes(to);
const show = (edge: ImportEdge): string => `${edge.from} → ${edge.to}`;

function violations(area: string, allowed: (edge: ImportEdge) => boolean): string[] {
  return edges.filter((edge) => edge.from.startsWith(`${area}/`) && !isPackage(edge.to) && !allowed(edge)).map(show);
}

describe('import directions', () => {
  it('finds the imports that it checks', () => {
    assert.ok(edges.length > 50);
    assert.ok(edges.some((edge) => edge.from.startsWith('api/') && edge.to.startsWith('workflows/')));
  });

  it('keeps workflow code to workflows and the two workflow packages', () => {
    const allowed = new Set(['@temporalio/workflow', '@temporalio/common']);
    const wrong = edges.filter(
      ({ from, to }) => from.startsWith('workflows/') && !to.startsWith('workflows/') && !allowed.has(to),
    );
    assert.deepEqual(wrong.map(show), []);
  });

  it('keeps the libraries independent of everything outside their folder', () => {
    for (const library of ['netex', 'planner', 'barcode', 'platform']) {
      assert.deepEqual(
        violations(library, ({ to }) => to.startsWith(`${library}/`)),
        [],
      );
    }
  });

  it('lets the converter use the NeTEx library, and nothing else', () => {
    assert.deepEqual(
      violations('gtfs-to-netex', ({ to }) => /^(gtfs-to-netex|netex)\//.test(to)),
      [],
    );
  });

  it("keeps workers and operators' commands away from the API", () => {
    const wrong = edges.filter(({ from, to }) => /^(workers|ops)\//.test(from) && to.startsWith('api/'));
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets the API reach workflows, stores and the libraries, not activity implementations', () => {
    const wrong = violations(
      'api',
      ({ to }) => /^(api|workflows|activities|platform|netex|planner)\//.test(to) && !to.endsWith('-activities.ts'),
    );
    assert.deepEqual(wrong, []);
  });

  it('lets activities reach workflows, activities and libraries only', () => {
    assert.deepEqual(
      violations('activities', ({ to }) => /^(activities|workflows|platform|netex|planner|barcode)\//.test(to)),
      [],
    );
  });

  it('lets no area import the store or routes of another', () => {
    const areaOf = (path: string): string | undefined => /^(?:api|activities|workflows)\/([^/]+)\//.exec(path)?.[1];
    // The entry of a process composes the areas, so it may import each.
    const isEntry = (path: string): boolean => /^api\/[^/]+\/(server|start-[a-z]+)\.ts$/.test(path);
    // Rules are pure and know no store: orders price supplements by the rules of offers.
    const isRule = (path: string): boolean => /^workflows\/[^/]+\/rules\//.test(path);
    const wrong = edges.filter(({ from, to }) => {
      const [source, target] = [areaOf(from), areaOf(to)];
      return !isEntry(from) && !isRule(to) && source && target && target !== 'shared' && source !== target;
    });
    assert.deepEqual(wrong.map(show), []);
  });

  it('lets nothing but development and tests import the development folder', () => {
    assert.deepEqual(edges.filter(({ from, to }) => !from.startsWith('dev/') && to.startsWith('dev/')).map(show), []);
  });

  it('lets workflows be started, signalled and updated through typed calls alone', () => {
    const calls = /\.workflow\s*\.(start|execute|signalWithStart|executeUpdateWithStart|getHandle)\b/;
    const callers = AREAS.filter((area) => area !== 'dev')
      .flatMap(sourceFiles)
      .filter((file) => calls.test(readFileSync(join(ROOT, file), 'utf8')));
    assert.deepEqual(callers, ['platform/temporal/workflow-calls.ts']);
  });

  it('has no cycle', () => {
    const graph = new Map<string, string[]>();
    for (const { from, to } of edges) if (!isPackage(to)) graph.set(from, [...(graph.get(from) ?? []), to]);
    assert.deepEqual(findCycle(graph), undefined);
  });

  it('uses no package that package.json does not name', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, object>;
    const runtime = new Set(Object.keys(manifest.dependencies ?? {}));
    const all = new Set([...runtime, ...Object.keys(manifest.devDependencies ?? {})]);
    const wrong = edges.filter(({ from, to }) => {
      if (!isPackage(to) || isBuiltin(to) || to.startsWith('test/')) return false;
      const name = to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/');
      return !(from.startsWith('dev/') ? all : runtime).has(name);
    });
    assert.deepEqual(wrong.map(show), []);
  });
});

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}
