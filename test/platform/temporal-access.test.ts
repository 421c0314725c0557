import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporalAccess } from '../../platform/temporal/temporal-access.ts';
import { makeCertificate, writeFiles } from '../support/certificate.ts';
import { temporaryDirectory } from '../support/folders.ts';
import { until } from '../support/until.ts';

const TOKEN = 'eyJh.eyJz.c2ln';

describe('access to Temporal', () => {
  const directory = temporaryDirectory('temporal-access');
  const { certFile, keyFile } = writeFiles(directory, makeCertificate());
  const other = writeFiles(join(directory, 'other'), makeCertificate());
  const tokenFile = join(directory, 'token');
  writeFileSync(tokenFile, `${TOKEN}\n`);
  const files = { TEMPORAL_TLS_CA_FILE: certFile, TEMPORAL_TLS_CERT_FILE: certFile, TEMPORAL_TLS_KEY_FILE: keyFile };

  it('is plain without settings', () => {
    const access = new TemporalAccess({});
    assert.deepEqual([access.readTls(), access.hasToken], [undefined, false]);
  });

  it('takes certificate, key, name and token from files', () => {
    const config = { ...files, TEMPORAL_TLS_SERVER_NAME: 'temporal', TEMPORAL_AUTH_TOKEN_FILE: tokenFile };
    const access = new TemporalAccess(config);
    const { clientCertPair, serverNameOverride } = access.readTls() ?? {};
    assert.match(Buffer.from(clientCertPair?.key ?? []).toString(), /PRIVATE KEY/);
    assert.deepEqual([serverNameOverride, access.token()], ['temporal', TOKEN]);
  });

  it('uses a token that replaces another, and keeps it while the file is unusable', async () => {
    const file = join(directory, 'renewed');
    writeFileSync(file, TOKEN);
    const access = new TemporalAccess({ ...files, TEMPORAL_AUTH_TOKEN_FILE: file });
    assert.equal(access.token(), TOKEN);
    writeFileSync(`${file}.new`, 'a.b.c');
    renameSync(`${file}.new`, file);
    await until(() => access.token() === 'a.b.c');
    writeFileSync(file, '');
    assert.equal(access.token(), 'a.b.c');
  });

  const faults: readonly [string, object, RegExp][] = [
    [
      'a certificate without its key',
      { ...files, TEMPORAL_TLS_KEY_FILE: undefined },
      /TEMPORAL_TLS_KEY_FILE: is missing/,
    ],
    [
      'a key without its certificate',
      { ...files, TEMPORAL_TLS_CERT_FILE: undefined },
      /TEMPORAL_TLS_CERT_FILE: is missing/,
    ],
    [
      'the key of another certificate',
      { ...files, TEMPORAL_TLS_KEY_FILE: other.keyFile },
      /TEMPORAL_TLS_KEY_FILE: .* not hold/,
    ],
    ['a missing file', { TEMPORAL_TLS_CA_FILE: join(directory, 'none') }, /TEMPORAL_TLS_CA_FILE: .*ENOENT/],
    [
      'a key in place of a certificate',
      { TEMPORAL_TLS_CA_FILE: keyFile },
      /TEMPORAL_TLS_CA_FILE: the file does not hold/,
    ],
    ['a token that would travel unencrypted', { TEMPORAL_AUTH_TOKEN_FILE: tokenFile }, /needs TEMPORAL_TLS_CA_FILE/],
    [
      'a file without a token',
      { ...files, TEMPORAL_AUTH_TOKEN_FILE: certFile },
      /TEMPORAL_AUTH_TOKEN_FILE: .* not hold/,
    ],
  ];
  for (const [what, config, message] of faults) {
    it(`refuses ${what}`, () => assert.throws(() => new TemporalAccess(config), message));
  }
});
