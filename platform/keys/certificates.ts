/**
 * Makes X.509 certificates (RFC 5280) with keys on P-256: an authority, and what it certifies. It writes DER itself: that is
 * shorter than any library for it, and needs no program. Callers: the job that prepares access to Temporal, tests of TLS.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM (PKCS 8), without a passphrase. */
  readonly key: string;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly validDays: number;
  /** `authority` certifies others; the rest are what a certificate serves for. */
  readonly uses: readonly ('authority' | 'server' | 'client')[];
  /** Host names of a server. */
  readonly hosts?: readonly string[];
  /** IPv4 addresses of a server. */
  readonly addresses?: readonly string[];
}

/** Name under which its certificate identifies it. */
export interface Issuer {
  readonly commonName: string;
  readonly key: KeyObject;
}

const OID = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  altNames: '551d11',
  constraints: '551d13',
  keyUsage: '551d0f',
  extendedKeyUsage: '551d25',
};
const PURPOSES = { server: '2b06010505070301', client: '2b06010505070302' };
const DAY_MS = 86_400_000;
const TRUE = Buffer.from([0xff]);
/** Bits of keyUsage, after the number of unused ones. */
const SIGNS_CERTIFICATES = Buffer.from([2, 0x04]);
const SIGNS_HANDSHAKES = Buffer.from([7, 0x80]);

/** Signs with the own key if there is no issuer. Validity begins a day ago, because clocks differ. */
export function makeCertificate(request: CertificateRequest, issuer?: Issuer): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { commonName, key } = issuer ?? { commonName: request.commonName, key: privateKey };
  const signed = toBeSigned(request, privateKey, commonName);
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, key)]));
  const lines = sequence(signed, algorithm(), signature).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function toBeSigned(request: CertificateRequest, privateKey: KeyObject, issuer: string): Buffer {
  const now = Date.now();
  const validity = sequence(time(now - DAY_MS), time(now + request.validDays * DAY_MS));
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const extensions = der(0xa3, sequence(...listExtensions(request)));
  const subject = nameOf(request.commonName);
  return sequence(version3, serial, algorithm(), nameOf(issuer), validity, subject, publicKey, extensions);
}

function listExtensions({ uses, hosts = [], addresses = [] }: CertificateRequest): readonly Buffer[] {
  const isAuthority = uses.includes('authority');
  const purposes = uses.flatMap((use) => (use === 'authority' ? [] : [oid(PURPOSES[use])]));
  const names = [
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  return [
    ...(isAuthority ? [critical(OID.constraints, sequence(der(0x01, TRUE)))] : []),
    ...(isAuthority && purposes.length > 0
      ? []
      : [critical(OID.keyUsage, der(0x03, isAuthority ? SIGNS_CERTIFICATES : SIGNS_HANDSHAKES))]),
    ...(purposes.length > 0 ? [sequence(oid(OID.extendedKeyUsage), octets(sequence(...purposes)))] : []),
    ...(names.length > 0 ? [sequence(oid(OID.altNames), octets(sequence(...names)))] : []),
  ];
}

const critical = (hex: string, content: Buffer) => sequence(oid(hex), der(0x01, TRUE), octets(content));
const nameOf = (commonName: string) =>
  sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName)))));
const algorithm = () => sequence(oid(OID.ecdsaWithSha256));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer) => der(0x04, content);
const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts));

/** Format `yymmddhhmmssZ`, valid until 2049. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(text.slice(2)));
}

/** Encodes one value: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const short = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(length < 0x80 ? [tag, length] : [tag, ...short]), content]);
}
