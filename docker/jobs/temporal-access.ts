/**
 * Makes what Temporal and its callers know each other by: certificates, and tokens that give each caller its roles. It
 * keeps files that exist, unless they end within ten months. Caller: prepare-temporal-access.ts.
 *
 * Two authorities: the cluster's certificates reach Temporal's inner services, which ask for no token, so a caller's must not.
 * Folders: `authority` holds the private keys, `temporal` is for the server, every other for the caller of that name.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint, decodeJwt, exportJWK, jwtVerify, SignJWT } from 'jose';
import {
  type Certificate,
  type CertificateRequest,
  type Issuer,
  makeCertificate,
} from '../../platform/keys/certificates.ts';

export interface TemporalAccessOptions {
  readonly folder: string;
  /** Host names of the server. */
  readonly hosts: readonly string[];
  /** Permissions by caller, as `samferd:write`: namespace or `temporal-system`, and role. */
  readonly callers: ReadonlyMap<string, readonly string[]>;
  /** Makes everything anew: earlier certificates and tokens are refused from then on. */
  readonly replace?: boolean;
}

const AUTHORITY_DAYS = 3_650;
const DAYS = 365;
const RENEWED_BELOW_DAYS = 300;
const DAY_MS = 86_400_000;
const SERVER = 'temporal';
const AUTHORITY = 'authority';

interface Authority extends Issuer {
  readonly cert: string;
}

/** Returns a line for each thing that was made. */
export async function makeTemporalAccess(options: TemporalAccessOptions): Promise<readonly string[]> {
  const { folder, hosts, callers } = options;
  const secrets = join(folder, AUTHORITY);
  if (options.replace) for (const kind of ['cluster', 'clients', 'token']) removeSecrets(secrets, kind);
  const [cluster, clients] = [openAuthority(secrets, 'cluster'), openAuthority(secrets, 'clients')];
  const tokens = await openTokenKey(secrets);
  const server = join(folder, SERVER);
  const made = [
    certify(server, { commonName: SERVER, validDays: DAYS, uses: ['server', 'client'], hosts }, cluster),
    write(server, 'ca.pem', cluster.cert),
    write(server, 'clients-ca.pem', clients.cert),
    write(server, 'keys.json', JSON.stringify({ keys: [tokens.jwk] })),
  ];
  for (const [name, permissions] of callers) {
    const own = join(folder, name);
    made.push(certify(own, { commonName: `samferd-${name}`, validDays: DAYS, uses: ['client'] }, clients));
    made.push(write(own, 'ca.pem', cluster.cert), await grant(own, name, permissions, tokens));
  }
  return made.filter((line) => line !== undefined);
}

function openAuthority(secrets: string, kind: 'cluster' | 'clients'): Authority {
  const [certName, keyName] = [`${kind}-ca.pem`, `${kind}-key.pem`];
  if (!existsSync(join(secrets, certName))) {
    // A name of its own: verifiers would try an earlier authority of the same name.
    const commonName = `samferd temporal ${kind} ${randomBytes(4).toString('hex')}`;
    const made = makeCertificate({ commonName, validDays: AUTHORITY_DAYS, uses: ['authority'] });
    write(secrets, keyName, made.key, 0o400);
    write(secrets, certName, made.cert, 0o400);
  }
  const cert = readFileSync(join(secrets, certName), 'utf8');
  return { cert, commonName: commonNameOf(cert), key: createPrivateKey(readFileSync(join(secrets, keyName))) };
}

function removeSecrets(secrets: string, kind: string): void {
  for (const name of [`${kind}-ca.pem`, `${kind}-key.pem`]) rmSync(join(secrets, name), { force: true });
}

type TokenKey = Awaited<ReturnType<typeof openTokenKey>>;

async function openTokenKey(secrets: string) {
  const name = 'token-key.pem';
  if (!existsSync(join(secrets, name))) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    write(secrets, name, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o400);
  }
  const privateKey = createPrivateKey(readFileSync(join(secrets, name)));
  const publicKey = createPublicKey(privateKey);
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, publicKey, kid, jwk: { ...jwk, kid, alg: 'ES256', use: 'sig' } };
}

function certify(directory: string, request: CertificateRequest, authority: Authority): string | undefined {
  if (isCurrent(directory, request, authority)) return undefined;
  const { cert, key }: Certificate = makeCertificate(request, authority);
  // Processes read both when they start: a key without its certificate is a fault that they name.
  write(directory, 'key.pem', key);
  write(directory, 'cert.pem', cert);
  return `${request.commonName}: certificate for ${request.validDays} days`;
}

function isCurrent(directory: string, { hosts = [] }: CertificateRequest, authority: Authority): boolean {
  const file = join(directory, 'cert.pem');
  if (!existsSync(file)) return false;
  const found = new X509Certificate(readFileSync(file));
  return (
    found.verify(createPublicKey(authority.cert)) &&
    hosts.every((host) => found.checkHost(host) !== undefined) &&
    lastsLongEnough(found.validToDate.getTime())
  );
}

async function grant(
  directory: string,
  name: string,
  permissions: readonly string[],
  { privateKey, publicKey, kid }: TokenKey,
): Promise<string | undefined> {
  const file = join(directory, 'token');
  const found = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const isValid = await jwtVerify(found, publicKey).then(
    ({ payload }) => payload.sub === name && String(payload.permissions) === String(permissions),
    () => false,
  );
  if (isValid && lastsLongEnough((decodeJwt(found).exp ?? 0) * 1_000)) return undefined;
  const token = await new SignJWT({ permissions: [...permissions] })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setSubject(name)
    .setIssuedAt()
    .setExpirationTime(`${DAYS} days`)
    .sign(privateKey);
  write(directory, 'token', token);
  return `${name}: token for ${permissions.join(' and ')}, for ${DAYS} days`;
}

function lastsLongEnough(endsAtMs: number): boolean {
  return endsAtMs - Date.now() > RENEWED_BELOW_DAYS * DAY_MS;
}

function commonNameOf(cert: string): string {
  return new X509Certificate(cert).subject.replace(/^CN=/, '');
}

/** Atomic. Readable by every user: only the caller's container has the folder, whatever user it runs as. */
function write(directory: string, name: string, content: string, mode = 0o444): undefined {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, content, { mode });
  chmodSync(`${file}.new`, mode);
  renameSync(`${file}.new`, file);
}
