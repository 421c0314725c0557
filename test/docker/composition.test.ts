/**
 * Compares docker/ with the code: the content of the image, the commands and settings of services, the routes of the
 * proxy. Each kind of fault must be found in a broken copy; the real files must have none.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaShape } from '../../activities/events/kafka-config.ts';
import { checkAccounts } from '../../dev/docker/check/accounts.ts';
import { type CompositionTexts, readComposition, readTexts } from '../../dev/docker/check/composition.ts';
import { exampleValues } from '../../dev/docker/check/example-values.ts';
import { checkImage } from '../../dev/docker/check/image.ts';
import { checkEnvironment, checkProcesses, isOurs } from '../../dev/docker/check/processes.ts';
import { checkProxy } from '../../dev/docker/check/proxy.ts';
import { checkServices } from '../../dev/docker/check/services.ts';
import { checkTemporalAccess } from '../../dev/docker/check/temporal-access.ts';
import { checkVariables } from '../../dev/docker/check/variables.ts';
import { type ComposeService, readCompose } from '../../dev/docker/compose-file.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';

/** The default of UPLOAD_LIMIT_BYTES (api/config.ts). */
const UPLOAD_LIMIT_BYTES = 150_000_000;

const texts = readTexts();
const values = exampleValues(texts.compose);
const composition = readComposition(texts, values);

/** A copy with `to` in place of `from`. Fails when the file does not contain `from`. */
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
    ...checkAccounts(copy),
    ...checkTemporalAccess(copy),
    ...checkVariables(changed),
    ...checkProxy(copy, UPLOAD_LIMIT_BYTES),
  ];
}

type Fault = readonly [what: string, file: keyof CompositionTexts, from: string, to: string, fault: RegExp];

const FAULTS: readonly Fault[] = [
  ['an unknown entry', 'compose', 'workers/main.ts, events', 'workers/mains.ts, events', /starts workers\/mains\.ts/],
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
  ['a missing search attribute', 'compose', ' ExpireAt=Datetime', '', /SEARCH_ATTRIBUTES is/],
  ['another port', 'compose', 'PORT: 9105', 'PORT: 9115', /events-worker: listens on 9115/],
  [
    'a missing number of processes',
    'compose',
    '    scale: $' + '{EVENTS_WORKER_SCALE:-1}\n',
    '',
    /events-worker: says nothing of how many run/,
  ],
  ['missing flags of Node', 'compose', '--max-semi-space-size=4, ', '', /api: runs Node with other flags/],
  ['an unknown health path', 'compose', 'healthcheck.mjs, ready]', 'healthcheck.mjs, up]', /asks for up/],
  [
    'an unknown health command',
    'compose',
    'image/healthcheck.mjs, ready]',
    'image/health.mjs, ready]',
    /is not the image’s/,
  ],
  [
    'a short stop grace period',
    'compose',
    'stop_grace_period: 40s',
    'stop_grace_period: 10s',
    /killed before it can have ended/,
  ],
  [
    'an unknown server',
    'compose',
    'S3_ENDPOINT: http://minio:9000',
    'S3_ENDPOINT: http://minio-1:9000',
    /minio-1, which is no service/,
  ],
  ['a wrong port of a server', 'compose', 'temporal:7233', 'temporal:7234', /temporal:7234, where nobody listens/],
  [
    'a network that is not shared',
    'compose',
    'networks: [temporal-store, temporal]',
    'networks: [temporal-store]',
    /shares no network/,
  ],
  ['an unknown dependency', 'compose', 'mongodb: { condition', 'mongo: { condition', /mongo, which is no service/],
  [
    'a dependency on the end of a server',
    'compose',
    'condition: service_healthy',
    'condition: service_completed_successfully',
    /which runs on/,
  ],
  ['an image without a version', 'compose', 'caddy:2.11.9-alpine', 'caddy:alpine', /names no version/],
  ['an image without a tag', 'compose', 'caddy:2.11.9-alpine', 'caddy', /no image name with a tag/],
  ['an unknown image', 'compose', 'caddy:2.11.9-alpine', 'cady:2.11.9-alpine', /nobody here knows/],
  ['a database that runs scripts', 'compose', '        --noscripting,\n', '', /mongodb: runs the scripts of queries/],
  ['an unknown volume', 'compose', 'minio-data:/data', 'minio:/data', /no volume minio/],
  ['a port that is open to every host', 'compose', '127.0.0.1:9001:9001', '9001:9001', /open to everybody/],
  [
    'a trusted address that is no proxy',
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
  ['a variable without a description', 'compose', 'LOG_LEVEL:-info}', 'LOGLEVEL:-info}', /LOGLEVEL is not described/],
  [
    'a default that differs from its description',
    'envExample',
    '#LOG_LEVEL=info',
    '#LOG_LEVEL=debug',
    /another default/,
  ],
  [
    'a described variable that is not used',
    'envExample',
    'PLANNER_ID_KEYS=',
    'PLANNER_IDS=',
    /PLANNER_IDS is described and nobody reads/,
  ],
  ['a secret with a published value', 'envExample', 'POSTGRES_PASSWORD=', 'POSTGRES_PASSWORD=temporal', /has a value/],
  [
    'the administration through the proxy',
    'caddyfile',
    ' /admin /admin/*',
    '',
    /sends \/admin\/clients to api, nobody has it/,
  ],
  [
    'a Temporal that asks for no certificate',
    'compose',
    'TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: "true"',
    'TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: "false"',
    /temporal: TEMPORAL_TLS_REQUIRE_CLIENT_AUTH is not true/,
  ],
  [
    'a caller of Temporal with a role too many',
    'compose',
    ' api=samferd:worker,samferd:write',
    ' api=samferd:admin',
    /api may samferd:admin, and needs/,
  ],
  [
    'a public process in the network of Temporal',
    'compose',
    'networks: [servers, front]\n    mem_limit',
    'networks: [servers, temporal, front]\n    mem_limit',
    /journey-planner: is in the network of Temporal/,
  ],
  [
    'the keys of Temporal’s authorities in another container',
    'compose',
    'temporal-access-api:/run/temporal:ro',
    'temporal-access-authority:/run/temporal:ro',
    /api: has the volume temporal-access-authority/,
  ],
  [
    'a caller of Temporal without a token',
    'compose',
    'TEMPORAL_AUTH_TOKEN_FILE: /run',
    'TEMPORAL_TOKEN_FILE: /run',
    /api: TEMPORAL_AUTH_TOKEN_FILE is not/,
  ],
  ['an image behind a shell', 'dockerfile', 'ENTRYPOINT []', 'ENTRYPOINT ["sh"]', /between the engine and Node/],
  ['root', 'dockerfile', 'USER node', 'USER root', /runs as root/],
  ['another Node', 'dockerfile', 'node:24.', 'node:22.', /the tests run on node:24/],
  ['Alpine', 'dockerfile', '-bookworm-slim', '-alpine', /the tests run on node:24/],
  ['an excluded folder', 'ignoreFile', '!netex\n', '', /copies netex/],
  [
    'a folder that is not copied',
    'ignoreFile',
    '!netex\n',
    '!netex\n!docs\n',
    /docs\/overview\.md in, which no stage copies/,
  ],
  [
    'a script that is copied too late',
    'dockerfile',
    'COPY dev/planner ./dev/planner\n',
    '',
    /runs dev\/planner\/build\.ts, which is not there/,
  ],
  [
    'a missing build step',
    'dockerfile',
    'RUN node dev/setup/provide-schemas.mjs dist/netex-xsd\n',
    '',
    /NETEX_XSD_DIR is .*, which nobody makes/,
  ],
  [
    'a build without a checksum of the bundle',
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
  ['a path with a wrong route', 'caddyfile', '/oauth/* ', '', /sends \/oauth\/token to api, auth has it/],
  [
    'an unknown service of a route',
    'caddyfile',
    'import to api 8080',
    'import to apis 8080',
    /apis, which is no service/,
  ],
  [
    'a route to an unused port',
    'caddyfile',
    'import to journey-planner 8084',
    'import to journey-planner 8085',
    /:8085, where nobody listens/,
  ],
  ['public metrics', 'caddyfile', ' /metrics/*', '', /sends \/metrics\/ to api, nobody has it/],
  ['automatic redirects', 'caddyfile', '\tauto_https disable_redirects\n', '', /redirects plain HTTP otherwise/],
  ['temporary redirects', 'caddyfile', '{uri} 301', '{uri} 302', /redirects plain HTTP otherwise/],
  ['query strings in the log', 'caddyfile', 'request>uri delete', 'request>host delete', /logs the uri of requests/],
  ['uploads that the proxy refuses', 'caddyfile', 'max_size 200MB', 'max_size 100MB', /takes bodies of 100MB/],
];

describe('the composition', () => {
  for (const [what, file, from, to, fault] of FAULTS) {
    it(`reports ${what}`, () => {
      const faults = faultsOf(broken(file, from, to));
      assert.ok(
        faults.some((each) => fault.test(each)),
        `not found among: ${faults.join('; ') || 'nothing'}`,
      );
    });
  }

  it('refuses a key that Compose does not know', () => {
    assert.throws(() => faultsOf(broken('compose', 'mem_limit: 512m', 'memlimit: 512m')), /memlimit/);
  });

  it('refuses to start without a secret, and names it', () => {
    const { PAYLOAD_KEYS: _, ...others } = values;
    assert.throws(() => readComposition(texts, others), /PAYLOAD_KEYS is not set: keys that seal/);
  });

  it('has no fault', () => assert.deepEqual(faultsOf(texts), []));
});

describe('docker/compose.own-ca.yaml', () => {
  const ownCa = readCompose(readFileSync(join(projectRoot, 'docker/compose.own-ca.yaml'), 'utf8'));
  const { proxy, ...processes } = ownCa.services;
  const targetsOf = (service: ComposeService | undefined) => service?.volumes.map((each) => each.split(':')[1]);

  it('shows the proxy only certificate and key, and lets it read a key of any owner', () => {
    assert.deepEqual(targetsOf(proxy), ['/etc/caddy/own-ca/cert.pem', '/etc/caddy/own-ca/key.pem']);
    assert.ok(proxy?.cap_add.includes('DAC_READ_SEARCH'));
  });

  it('makes every process that fetches token keys trust the authority', () => {
    const asking = Object.entries(composition.compose.services).filter(([, each]) => 'AUTH_ISSUER' in each.environment);
    assert.deepEqual(Object.keys(processes).sort(), asking.map(([name]) => name).sort());
    for (const service of Object.values(processes)) {
      assert.deepEqual(targetsOf(service), [service.environment.NODE_EXTRA_CA_CERTS]);
    }
  });
});

describe('the events worker of the composition', () => {
  it('gets each setting of Kafka that can be given', () => {
    const given = Object.keys(composition.compose.services['events-worker']?.environment ?? {});
    const missing = Object.keys(kafkaShape).filter((name) => !given.includes(name));
    assert.deepEqual(missing, []);
  });
});

describe('the environment of each process of the composition', () => {
  const ours = Object.entries(composition.compose.services).filter(([, service]) => isOurs(service));
  for (const [name] of ours.filter(([, service]) => !service.profiles.includes('tools'))) {
    it(`has the variables that ${name} needs and only known ones`, async () => {
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
