/** The files of docker/ are read as those who use them read them: variables as Compose, the allow-list as the engine, routes as the proxy. */
import assert from 'node:assert/strict';
import { findRoute, listRoutes } from '../../dev/docker/caddyfile.ts';
import { interpolate, toSeconds } from '../../dev/docker/compose-file.ts';
import { parseDockerfile } from '../../dev/docker/dockerfile.ts';
import { parseIgnoreFile } from '../../dev/docker/ignore-file.ts';
import { placementsOf } from '../../dev/docker/image-files.ts';
import { Addresses } from '../../dev/docker/try/addresses.ts';

describe('variables of a compose file', () => {
  const given = { A: '1', EMPTY: '' };

  it('are replaced by their values, or by their defaults', () => {
    assert.equal(interpolate('a=$' + '{A} b=$' + '{B:-two} $$C', given), 'a=1 b=two $C');
    assert.equal(interpolate('$' + '{EMPTY:-three}', given), 'three');
  });

  it('are missed by name, with the reason', () => {
    assert.throws(() => interpolate('$' + '{B:?the second letter}', given), /B is not set: the second letter/);
    assert.throws(() => interpolate('$' + '{EMPTY:?not this}', given), /EMPTY is not set/);
    assert.throws(() => interpolate('costs $5', given), /names no variable/);
  });

  it('leaves durations in seconds', () => assert.deepEqual(['40s', '2m', '1h'].map(toSeconds), [40, 120, 3_600]));
});

describe('an allow-list', () => {
  const isIgnored = parseIgnoreFile('*\n!api\n!dev/stack\n!package.json\n**/*.log\n# a comment\n');

  it('lets in what it names, folders with all that is in them', () => {
    assert.deepEqual(['api/server.ts', 'dev/stack/ports.ts', 'package.json'].filter(isIgnored), []);
  });

  it('keeps out everything else, and what a later line takes back', () => {
    const others = ['dev/start.ts', '.env', 'docs/overview.md', 'api/x.log', 'package.json.bak', 'apis/a.ts'];
    assert.deepEqual(others.filter(isIgnored), others);
  });
});

describe('a Dockerfile', () => {
  const [stage] = parseDockerfile(
    'ARG V=1\nFROM node:$' + '{V} AS one\nCOPY api ./api\nCOPY a.ts b.ts ./dev/\nRUN x \\\n  && y\n',
  );

  it('is stages of instructions', () => {
    assert.equal(stage?.base, 'node:1');
    assert.deepEqual(stage?.instructions.at(-1), { kind: 'run', command: 'x && y' });
  });

  it('puts the contents of folders into their target, and files under their names', () => {
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

  it('sends a path to the first that has it, others to the last', () => {
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

describe('addresses of the try', () => {
  it('lead to the free ports that servers have, and to processes on their own', async () => {
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
