/**
 * Checks the readers of docker/ files: variables are read as Compose does, the allow-list as the engine does, routes as
 * the proxy does.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRoute, listRoutes } from '../../dev/docker/caddyfile.ts';
import { interpolate, toSeconds } from '../../dev/docker/compose-file.ts';
import { parseDockerfile } from '../../dev/docker/dockerfile.ts';
import { parseIgnoreFile } from '../../dev/docker/ignore-file.ts';
import { placementsOf } from '../../dev/docker/image-files.ts';
import { Addresses } from '../../dev/docker/try/addresses.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { formatPublicKeys, parseSigningKeys } from '../../platform/keys/signing-keys.ts';
import { temporaryDirectory } from '../support/folders.ts';

describe('variables of a compose file', () => {
  const given = { A: '1', EMPTY: '' };

  it('are replaced by their values, or by their defaults', () => {
    assert.equal(interpolate('a=$' + '{A} b=$' + '{B:-two} $$C', given), 'a=1 b=two $C');
    assert.equal(interpolate('$' + '{EMPTY:-three}', given), 'three');
  });

  it('cause an error with name and reason when they are missing', () => {
    assert.throws(() => interpolate('$' + '{B:?the second letter}', given), /B is not set: the second letter/);
    assert.throws(() => interpolate('$' + '{EMPTY:?not this}', given), /EMPTY is not set/);
    assert.throws(() => interpolate('costs $5', given), /names no variable/);
  });

  it('leaves durations in seconds', () => assert.deepEqual(['40s', '2m', '1h'].map(toSeconds), [40, 120, 3_600]));
});

describe('an allow-list', () => {
  const isIgnored = parseIgnoreFile('*\n!api\n!dev/stack\n!package.json\n**/*.log\n# a comment\n');

  it('includes the named files, and folders with all their content', () => {
    assert.deepEqual(['api/server.ts', 'dev/stack/ports.ts', 'package.json'].filter(isIgnored), []);
  });

  it('excludes all other files, and those of a later exclusion', () => {
    const others = ['dev/start.ts', '.env', 'docs/overview.md', 'api/x.log', 'package.json.bak', 'apis/a.ts'];
    assert.deepEqual(others.filter(isIgnored), others);
  });
});

describe('a Dockerfile', () => {
  const [stage] = parseDockerfile(
    'ARG V=1\nFROM node:$' + '{V} AS one\nCOPY api ./api\nCOPY a.ts b.ts ./dev/\nRUN x \\\n  && y\n',
  );

  it('is read as stages of instructions', () => {
    assert.equal(stage?.base, 'node:1');
    assert.deepEqual(stage?.instructions.at(-1), { kind: 'run', command: 'x && y' });
  });

  it('copies the contents of folders into their target, and files under their names', () => {
    const context = ['api/server.ts', 'api/shared/app.ts', 'a.ts', 'b.ts'];
    const copies = stage?.instructions.flatMap((each) => (each.kind === 'copy' ? placementsOf(each, context) : []));
    const targets = copies?.map(({ target }) => target);
    assert.deepEqual(targets, ['api/server.ts', 'api/shared/app.ts', 'dev/a.ts', 'dev/b.ts']);
  });

  it('must name a process, not a line for a shell', () => {
    assert.throws(() => parseDockerfile('FROM node:24\nCMD node api/server.ts'), /must be a list/);
  });
});

describe('a Caddyfile', () => {
  const routes = listRoutes(`{$PUBLIC_HOST} {
  @auth path /oauth/* /admin/clients
  handle /metrics {
    respond 404
  }
  handle @auth {
    import to auth 8081 # a comment
  }
  handle {
    import to api 8080
  }
}
https://localhost {
  handle /metrics/* {
    import to codec 8234
  }
}
`);
  const goesTo = (path: string) => findRoute(routes, path)?.to?.service;

  it('routes a path to the first matching service, others to the last', () => {
    assert.deepEqual(['/oauth/token', '/admin/clients', '/metrics', '/v1/events', '/metrics/x'].map(goesTo), [
      'auth',
      'auth',
      undefined,
      'api',
      'api',
    ]);
    assert.equal(goesTo('/admin/clientele'), 'api');
  });
});

describe('addresses of a composition without an engine', () => {
  it('lead to the free ports of servers, and to processes on their own addresses', async () => {
    const addresses = await Addresses.choose();
    addresses.move('mongodb:27017', '127.0.0.1:4711');
    const api = addresses.take('api');
    const located = ['mongodb:27017', 'mongodb://u:p@mongodb:27017/samferd?x=1', 'http://api:8080', 'http://other:1/'];
    assert.deepEqual(
      located.map((each) => addresses.locate(each)),
      ['127.0.0.1:4711', 'mongodb://u:p@127.0.0.1:4711/samferd?x=1', `http://${api}:8080`, 'http://other:1/'],
    );
  });
});

describe('fill-env.sh', () => {
  const file = join(temporaryDirectory('fill-env'), '.env');
  const fill = (): ReadonlyMap<string, string> => {
    execFileSync('sh', [join(projectRoot, 'docker/fill-env.sh'), file]);
    const lines = readFileSync(file, 'utf8').matchAll(/^([A-Z0-9_]+)=(.+)$/gm);
    return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
  };
  const publicHalf = (keys = '') => formatPublicKeys(parseSigningKeys(keys, 'PLANNER_SIGNING_KEYS'));

  it('makes passwords and the planner’s pair of keys, and changes nothing that is there', () => {
    const first = fill();
    assert.match(first.get('MONGODB_PASSWORD_API') ?? '', /^[0-9a-f]{64}$/);
    assert.equal(first.get('PLANNER_PUBLIC_KEYS'), publicHalf(first.get('PLANNER_SIGNING_KEYS')));
    assert.deepEqual(fill(), first);
  });

  it('makes the public half of several keys, of which the first signs', () => {
    const keys = [5, 6].map((byte) => `k${byte}:${Buffer.alloc(32, byte).toString('base64')}`).join(',');
    writeFileSync(file, `PLANNER_SIGNING_KEYS=${keys}\nPLANNER_PUBLIC_KEYS=\n`);
    assert.equal(fill().get('PLANNER_PUBLIC_KEYS'), publicHalf(keys));
  });
});
