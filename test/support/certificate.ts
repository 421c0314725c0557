/** Certificates for tests of TLS: self-signed, for localhost and 127.0.0.1, each with its own key. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Certificate, makeCertificate as makeAnyCertificate } from '../../platform/keys/certificates.ts';

/** The certificate is its own authority, so clients use it as `ca`. */
export type TestCertificate = Certificate;

/** Use different names when a client trusts several certificates. */
export function makeCertificate(commonName = 'test'): TestCertificate {
  return makeAnyCertificate({
    commonName,
    validDays: 30,
    uses: ['authority', 'server', 'client'],
    hosts: ['localhost'],
    addresses: ['127.0.0.1'],
  });
}

/** Replaces each file atomically, as tools that renew certificates do. Time passes between the two files. */
export function writeFiles(directory: string, { cert, key }: Partial<TestCertificate>) {
  const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  if (cert !== undefined) replaceFile(files.certFile, cert);
  if (key !== undefined) replaceFile(files.keyFile, key);
  return files;
}

function replaceFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
