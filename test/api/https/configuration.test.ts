/** Unusable server options must stop the start with the variable's name, without the content of a file. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { checkIssuer } from '../../../api/shared/issuer.ts';
import { ConfigError } from '../../../platform/config.ts';
import { makeCertificate, writeFiles } from '../../support/certificate.ts';
import { temporaryDirectory } from '../../support/folders.ts';
import { httpServerOptionsOf } from './support.ts';

describe('HTTP server options', () => {
  const pair = makeCertificate();
  const { certFile, keyFile } = writeFiles(temporaryDirectory('tls'), pair);
  const good = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };
  const file = (content: { cert?: string; key?: string }) => writeFiles(temporaryDirectory('tls'), content);
  const missing = join(temporaryDirectory('tls'), 'nothing.pem');
  const locked = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
  }).privateKey;
  const weak = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });

  const refused: Record<string, readonly [string, Record<string, string>]> = {
    'a certificate without a key': ['TLS_KEY_FILE: is needed', { TLS_CERT_FILE: certFile }],
    'a key without a certificate': ['TLS_CERT_FILE: is needed', { TLS_KEY_FILE: keyFile }],
    'a missing certificate file': ['TLS_CERT_FILE: the file cannot be read', { ...good, TLS_CERT_FILE: missing }],
    'a missing key file': ['TLS_KEY_FILE: the file cannot be read', { ...good, TLS_KEY_FILE: missing }],
    'a file without a certificate': ['TLS_CERT_FILE: is not a certificate', { ...good, TLS_CERT_FILE: keyFile }],
    'a file without a key': ['TLS_KEY_FILE: is not a private key', { ...good, TLS_KEY_FILE: certFile }],
    'a key with a passphrase': [
      'TLS_KEY_FILE: is not a private key',
      { ...good, TLS_KEY_FILE: file({ key: locked }).keyFile },
    ],
    'the key of another certificate': [
      'TLS_KEY_FILE: is not the key of',
      { ...good, TLS_KEY_FILE: file({ key: String(weak) }).keyFile },
    ],
    'a plain port without TLS': ['HTTP_PORT: needs TLS_CERT_FILE', { HTTP_PORT: '8000' }],
    'one port for both': ['HTTP_PORT: must differ from PORT', { ...good, PORT: '8443', HTTP_PORT: '8443' }],
    'a public URL without TLS': ['PUBLIC_URL: must start with https', { PUBLIC_URL: 'http://api.test' }],
    'a public URL with a query': ['PUBLIC_URL: must be a URL without', { PUBLIC_URL: 'https://api.test/?a' }],
    'a public URL with a user': ['PUBLIC_URL: must be a URL without', { PUBLIC_URL: 'https://a@api.test' }],
    'a malformed public URL': ['PUBLIC_URL', { PUBLIC_URL: 'api.test' }],
    'a port out of range': ['HTTPS_PORT', { HTTPS_PORT: '70000' }],
    'a proxy without an address': ['TRUSTED_PROXIES: proxy is neither', { TRUSTED_PROXIES: 'proxy' }],
    'an address other than loopback in development': [
      'HOST: must be a loopback address',
      { ENVIRONMENT: 'development', HOST: '0.0.0.0' },
    ],
  };
  for (const [name, [message, environment]] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      assert.throws(
        () => httpServerOptionsOf(environment),
        (error: unknown) =>
          error instanceof ConfigError && error.message.includes(message) && !/BEGIN/.test(error.message),
      );
    });
  }

  it('refuses an issuer by plain HTTP outside development', () => {
    const plain = { AUTH_ISSUER: 'http://auth.test', AUDIENCE: 'https://api.test' };
    for (const ENVIRONMENT of ['staging', 'production'] as const) {
      assert.throws(
        () => checkIssuer({ ENVIRONMENT, ...plain }),
        (error) => error instanceof ConfigError && /AUTH_ISSUER: must start with https/.test(error.message),
      );
      checkIssuer({ ENVIRONMENT, ...plain, AUTH_ISSUER: 'HTTPS://auth.test' });
    }
    checkIssuer({ ENVIRONMENT: 'development', ...plain });
  });

  it('accepts a certificate with its key, and any address outside development', () => {
    const { listen } = httpServerOptionsOf({ ...good, HOST: '0.0.0.0', HTTP_PORT: '8080' });
    assert.ok(listen.certificate);
    assert.deepEqual([listen.host, listen.plainPort], ['0.0.0.0', 8080]);
  });

  it('accepts every loopback address in development', () => {
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      assert.equal(httpServerOptionsOf({ ENVIRONMENT: 'development', HOST }).listen.host, HOST);
    }
  });
});
