/**
 * docker/ against the code: what the image holds, what each service runs and is told, where the proxy sends whom. Each fault that an edit
 * can bring is first seen to be found, in a broken copy; then the files as they are have none.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CompositionTexts, readComposition, readTexts } from '../../dev/docker/check/composition.ts';
import { exampleValues } from '../../dev/docker/check/example-values.ts';
import { checkImage } from '../../dev/docker/check/image.ts';
import { checkEnvironment, checkProcesses, isOurs } from '../../dev/docker/check/processes.ts';
import { checkProxy } from '../../dev/docker/check/proxy.ts';
import { checkServices } from '../../dev/docker/check/services.ts';
import { checkVariables } from '../../dev/docker/check/variables.ts';
import { type ComposeService, readCompose } from '../../dev/docker/compose-file.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';

/** UPLOAD_LIMIT_BYTES where nothing is said (api/config.ts). */
const UPLOAD_LIMIT_BYTES = 150_000_000;

const texts = readTexts();
const values = exampleValues(texts.compose);
const composition = readComposition(texts, values);

/** A copy in which `from` stands as `to`; it has to have stood there. */
function broken(file: keyof CompositionTexts, from: string, to: string): CompositionTexts {
  assert.ok(texts[file].includes(from), `${file} has no ${from}`);
  return { ...texts, [file]: texts[file].replace(from, to) };
}

function faultsOf(changed: CompositionTexts): readonly string[] {
  const copy = readComposition(changed, values);
  return [
    ...checkImage(copy),
    ...checkServices(copy),
    ...checkProcesses(copy),
    ...checkVariables(changed),
    ...checkProxy(copy, UPLOAD_LIMIT_BYTES),
  ];
}

type Break = readonly [what: string, file: keyof CompositionTexts, from: string, to: string, fault: RegExp];

const BREAKS: readonly Break[] = [
  [
    'an entry that is not there',
    'compose',
    'workers/main.ts, events',
    'workers/mains.ts, events',
    /starts workers\/mains\.ts/,
  ],
  [
    'another process',
    'compose',
    'workers/main.ts, events-worker]',
    'workers/main.ts, timetable-worker]',
    /events-worker: runs timetable-worker/,
  ],
  [
    'a shell before the process',
    'compose',
    '[node, workers/main.ts, events-worker]',
    '[sh, -c, node workers/main.ts events-worker]',
    /something else than Node/,
  ],
  ['a search attribute forgotten', 'compose', ' ExpireAt=Datetime', '', /SEARCH_ATTRIBUTES is/],
  ['another port', 'compose', 'PORT: 9105', 'PORT: 9115', /events-worker: listens on 9115/],
  [
    'a number of processes that the next `up` forgets',
    'compose',
    '    scale: $' + '{EVENTS_WORKER_SCALE:-1}\n',
    '',
    /events-worker: says nothing of how many run/,
  ],
  ['Node’s flags forgotten', 'compose', '--max-semi-space-size=1, ', '', /api: runs Node with other flags/],
  ['a health path that is not', 'compose', 'healthcheck.mjs, ready]', 'healthcheck.mjs, up]', /asks for up/],
  [
    'a health command that is not',
    'compose',
    'image/healthcheck.mjs, ready]',
    'image/health.mjs, ready]',
    /is not the image’s/,
  ],
  [
    'a wait that is too short',
    'compose',
    'stop_grace_period: 40s',
    'stop_grace_period: 10s',
    /killed before it can have ended/,
  ],
  [
    'a server that is not',
    'compose',
    'S3_ENDPOINT: http://minio:9000',
    'S3_ENDPOINT: http://minio-1:9000',
    /minio-1, which is no service/,
  ],
  ['a server’s other port', 'compose', 'temporal:7233', 'temporal:7234', /temporal:7234, where nobody listens/],
  [
    'a network not shared',
    'compose',
    'networks: [temporal-store, servers]',
    'networks: [temporal-store]',
    /shares no network/,
  ],
  ['a dependency that is not', 'compose', 'mongodb: { condition', 'mongo: { condition', /mongo, which is no service/],
  [
    'waiting for the end of what runs on',
    'compose',
    'condition: service_healthy',
    'condition: service_completed_successfully',
    /which runs on/,
  ],
  ['an image without a version', 'compose', 'caddy:2.11.9-alpine', 'caddy:alpine', /names no version/],
  ['an image without a tag', 'compose', 'caddy:2.11.9-alpine', 'caddy', /no image name with a tag/],
  ['an image that nobody knows', 'compose', 'caddy:2.11.9-alpine', 'cady:2.11.9-alpine', /nobody here knows/],
  ['a volume that is not', 'compose', 'minio-data:/data', 'minio:/data', /no volume minio/],
  ['a port open to everybody', 'compose', '127.0.0.1:9001:9001', '9001:9001', /open to everybody/],
  [
    'a believed address that is no proxy',
    'compose',
    'TRUSTED_PROXIES: $',
    'TRUSTED_PROXIES: 10.0.0.1 #',
    /is not the proxy/,
  ],
  [
    'a secret with a default',
    'compose',
    'CLIENT_SECRET_KEY:?the',
    'CLIENT_SECRET_KEY:-the',
    /is a secret and has a default/,
  ],
  ['a variable that nobody describes', 'compose', 'LOG_LEVEL:-info}', 'LOGLEVEL:-info}', /LOGLEVEL is not described/],
  ['a default described otherwise', 'envExample', '#LOG_LEVEL=info', '#LOG_LEVEL=debug', /another default/],
  [
    'a variable that nobody reads',
    'envExample',
    'PLANNER_ID_KEYS=',
    'PLANNER_IDS=',
    /PLANNER_IDS is described and nobody reads/,
  ],
  ['a value given away', 'envExample', 'POSTGRES_PASSWORD=', 'POSTGRES_PASSWORD=temporal', /has a value/],
  ['an image behind a shell', 'dockerfile', 'ENTRYPOINT []', 'ENTRYPOINT ["sh"]', /between the engine and Node/],
  ['root', 'dockerfile', 'USER node', 'USER root', /runs as root/],
  ['another Node', 'dockerfile', 'node:24.', 'node:22.', /the tests run on node:24/],
  ['Alpine', 'dockerfile', '-bookworm-slim', '-alpine', /the tests run on node:24/],
  ['a folder that is kept out', 'ignoreFile', '!netex\n', '', /copies netex/],
  [
    'a folder that nobody copies',
    'ignoreFile',
    '!netex\n',
    '!netex\n!docs\n',
    /docs\/overview\.md in, which no stage copies/,
  ],
  [
    'a script that comes too late',
    'dockerfile',
    'COPY dev/planner ./dev/planner\n',
    '',
    /runs dev\/planner\/build\.ts, which is not there/,
  ],
  [
    'something nobody makes',
    'dockerfile',
    'RUN node dev/setup/provide-schemas.mjs dist/netex-xsd\n',
    '',
    /NETEX_XSD_DIR is .*, which nobody makes/,
  ],
  [
    'a build that takes any bundle',
    'dockerfile',
    'ARG WORKFLOW_BUNDLE_CHECKSUM=\n',
    '',
    /does not ask for WORKFLOW_BUNDLE_CHECKSUM/,
  ],
  [
    'files of development',
    'dockerfile',
    'COPY --from=build /app/dist ./dist\n',
    'COPY --from=build /app/dist ./dist\nCOPY dev/setup ./dev/setup\n',
    /holds files of dev\//,
  ],
  ['another MinIO', 'minioDockerfile', 'minio@v0.0.0-2026', 'minio@v0.0.0-2025', /MinIO's image is not made of/],
  ['a path sent elsewhere', 'caddyfile', '/oauth/* ', '', /sends \/oauth\/token to api, auth has it/],
  ['a service that is not', 'caddyfile', 'import to api 8080', 'import to apis 8080', /apis, which is no service/],
  [
    'a port where nobody listens',
    'caddyfile',
    'import to journey-planner 8084',
    'import to journey-planner 8085',
    /:8085, where nobody listens/,
  ],
  ['figures shown to everybody', 'caddyfile', ' /metrics/*', '', /sends \/metrics\/ to api, nobody has it/],
  ['redirects of Caddy’s own', 'caddyfile', '\tauto_https disable_redirects\n', '', /redirects plain HTTP otherwise/],
  ['redirects for now only', 'caddyfile', '{uri} 301', '{uri} 302', /redirects plain HTTP otherwise/],
  ['searches in its log', 'caddyfile', 'request>uri delete', 'request>host delete', /logs the uri of requests/],
  ['uploads that the proxy refuses', 'caddyfile', 'max_size 200MB', 'max_size 100MB', /takes bodies of 100MB/],
];

describe('docker/', () => {
  for (const [what, file, from, to, fault] of BREAKS) {
    it(`is not well with ${what}`, () => {
      const faults = faultsOf(broken(file, from, to));
      assert.ok(
        faults.some((each) => fault.test(each)),
        `not found among: ${faults.join('; ') || 'nothing'}`,
      );
    });
  }

  it('refuses a key that Compose does not have', () => {
    assert.throws(() => faultsOf(broken('compose', 'mem_limit: 512m', 'memlimit: 512m')), /memlimit/);
  });

  it('refuses to start while a secret is missing, and says which', () => {
    const { PAYLOAD_KEYS: _, ...others } = values;
    assert.throws(() => readComposition(texts, others), /PAYLOAD_KEYS is not set: keys that seal/);
  });

  it('is well as it is', () => assert.deepEqual(faultsOf(texts), []));
});

describe('docker/compose.own-ca.yaml', () => {
  const ownCa = readCompose(readFileSync(join(projectRoot, 'docker/compose.own-ca.yaml'), 'utf8'));
  const { proxy, ...processes } = ownCa.services;
  const targetsOf = (service: ComposeService | undefined) => service?.volumes.map((each) => each.split(':')[1]);

  it('lets the proxy see certificate and key alone, and read the key of any owner', () => {
    assert.deepEqual(targetsOf(proxy), ['/etc/caddy/own-ca/cert.pem', '/etc/caddy/own-ca/key.pem']);
    assert.ok(proxy?.cap_add.includes('DAC_READ_SEARCH'));
  });

  it('has every process that asks for the keys of tokens trust the authority', () => {
    const asking = Object.entries(composition.compose.services).filter(([, each]) => 'AUTH_ISSUER' in each.environment);
    assert.deepEqual(Object.keys(processes).sort(), asking.map(([name]) => name).sort());
    for (const service of Object.values(processes)) {
      assert.deepEqual(targetsOf(service), [service.environment.NODE_EXTRA_CA_CERTS]);
    }
  });
});

describe('the environment of each process in docker/', function () {
  this.timeout(180_000);

  const ours = Object.entries(composition.compose.services).filter(([, service]) => isOurs(service));
  for (const [name] of ours.filter(([service]) => service !== 'tools')) {
    it(`is what the configuration of ${name} knows and needs`, async () => {
      assert.deepEqual(await checkEnvironment(name, composition), []);
    });
  }

  it('is refused without a required variable, with an unknown one, and with an unusable value', async () => {
    const without = readComposition(broken('compose', 'PORT: 8081', 'PORTS: 8081'), values);
    const faults = await checkEnvironment('auth', without);
    assert.match(faults.join('; '), /PORT: .*; auth: sets PORTS, which the process does not know/);
    const wrong = await checkEnvironment('auth', readComposition(texts, { ...values, KEY_ENCRYPTION_KEY: 'short' }));
    assert.match(wrong.join('; '), /KEY_ENCRYPTION_KEY/);
  });
});
