/** The payment provider simulator beside the composition: apart from the service's image, with all that it imports. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readTexts } from '../../dev/docker/check/composition.ts';
import { exampleValues } from '../../dev/docker/check/example-values.ts';
import { readCompose } from '../../dev/docker/compose-file.ts';
import { parseDockerfile } from '../../dev/docker/dockerfile.ts';
import { parseIgnoreFile } from '../../dev/docker/ignore-file.ts';
import { simulatorConfigShape } from '../../dev/provider-simulator/start-simulator.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const texts = readTexts();
const values = { ...exampleValues(texts.compose), PAYMENT_SIMULATOR_SECRET: 's'.repeat(44) };
const development = readCompose(read('docker/compose.development.yaml'), values);
const production = readCompose(texts.compose, values);
const {
  'provider-simulator': simulator,
  'provider-simulator-mongodb': database,
  'payment-page': pages,
  ...callers
} = development.services;
const [stage] = parseDockerfile(read('docker/provider-simulator/Dockerfile'));
const copied = (stage?.instructions ?? []).flatMap((each) => (each.kind === 'copy' ? each.sources : []));

/** Every file that the entry loads, as the imports of each say. */
function listImports(entry: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const [, specifier = ''] of read(entry).matchAll(/^(?:import|export)\s(?!type )[^'"`;]*?from '(\.[^']+)'/gms)) {
    listImports(relative(projectRoot, resolve(projectRoot, dirname(entry), specifier)), found);
  }
  return found;
}

describe('The image of the payment provider simulator', () => {
  it('holds all that the simulator imports, and stands on the image of the service', () => {
    const imports = [...listImports('dev/provider-simulator/server.ts')];
    assert.ok(imports.length > 20);
    const isCopied = (file: string) => copied.some((source) => file.startsWith(`${source}/`));
    assert.deepEqual(
      imports.filter((file) => !isCopied(file)),
      [],
    );
    assert.equal(stage?.base, parseDockerfile(texts.dockerfile)[0]?.base);
  });

  it('copies what its build sees, and the build of the service sees none of the simulator', () => {
    const isIgnored = parseIgnoreFile(read('docker/provider-simulator/Dockerfile.dockerignore'));
    for (const source of copied) {
      assert.ok(existsSync(join(projectRoot, source)), source);
      assert.ok(!isIgnored(source.includes('.') ? source : `${source}/file.ts`), source);
    }
    assert.ok(parseIgnoreFile(texts.ignoreFile)('dev/provider-simulator/server.ts'));
  });
});

describe('docker/compose.development.yaml', () => {
  it('gives the simulator settings that it knows', () => {
    const unknown = Object.keys(simulator?.environment ?? {}).filter((name) => !(name in simulatorConfigShape));
    assert.deepEqual(unknown, []);
    assert.equal(simulator?.environment.ENVIRONMENT, 'production');
    assert.deepEqual(simulator?.ports, ['127.0.0.1:8083:8083']);
  });

  it('is the only file that names the simulator', () => {
    assert.doesNotMatch(texts.compose, /provider-simulator|PAYMENT_SIMULATOR/);
    assert.ok(!Object.keys(production.services).some((name) => name.includes('simulator')));
  });

  it('keeps the simulator’s database to the simulator, of the image that the service’s has', () => {
    const users = Object.entries(development.services).filter(([, { networks }]) => 'provider-simulator' in networks);
    assert.deepEqual(users.map(([name]) => name).sort(), ['provider-simulator', 'provider-simulator-mongodb']);
    assert.ok(development.networks['provider-simulator']?.internal);
    assert.equal(database?.image, production.services.mongodb?.image);
    assert.ok(database?.command.includes('--noscripting'));
  });

  it('leads the processes that call it to where it listens, in a network that both are in', () => {
    for (const [name, { environment }] of Object.entries(callers)) {
      assert.equal(environment.PAYMENT_SIMULATOR_URL, `http://provider-simulator:${simulator?.environment.PORT}`);
      assert.equal(environment.PAYMENT_SIMULATOR_SECRET, simulator?.environment.PAYMENT_SIMULATOR_SECRET);
      const networks = Object.keys(production.services[name]?.networks ?? {});
      assert.ok(
        networks.some((network) => network in (simulator?.networks ?? {})),
        name,
      );
    }
    assert.deepEqual(Object.keys(callers).sort(), ['api', 'books-worker', 'sales-payments-worker']);
    assert.equal(simulator?.environment.SIMULATOR_HOSTS, 'provider-simulator');
    assert.equal(pages?.environment.TERMINAL_ORIGINS, simulator?.environment.SIMULATOR_PUBLIC_URL);
  });
});
