/**
 * Certificates for tests of TLS, made in the test: self-signed, for localhost and 127.0.0.1, with a key of their own. Written in DER by hand
 * (RFC 5280), so that no test needs a program or a library for it.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface TestCertificate {
  /** PEM; it is its own authority, so clients take it as `ca`. */
  readonly cert: string;
  readonly key: string;
}

const OID = { commonName: '550403', ecdsaWithSha256: '2a8648ce3d040302', altNames: '551d11', constraints: '551d13' };
const DAY_MS = 86_400_000;

/** A client that takes several as `ca` tells them apart by their names. */
export function makeCertificate(commonName = 'test'): TestCertificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = toBeSigned(commonName, privateKey);
  const signature = bitString(sign('sha256', signed, privateKey));
  const cert = sequence(signed, algorithm(), signature);
  const lines = cert.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Each file is replaced at once, as who renews certificates does; between the two files there is time. */
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

function toBeSigned(commonName: string, privateKey: KeyObject): Buffer {
  const name = sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + 30 * DAY_MS));
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const altNames = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(oid(OID.constraints), octets(sequence(der(0x01, Buffer.from([0xff]))))),
    sequence(oid(OID.altNames), octets(altNames)),
  );
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]));
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  return sequence(version3, serial, algorithm(), name, validity, name, publicKey, der(0xa3, extensions));
}

const algorithm = () => sequence(oid(OID.ecdsaWithSha256));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer) => der(0x04, content);
const bitString = (content: Buffer) => der(0x03, Buffer.concat([Buffer.from([0]), content]));
const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));

/** `yymmddhhmmssZ`. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}

/** One value: its tag, its length, what it holds. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
