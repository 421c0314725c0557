/**
 * The adapter of ticket signing for AWS KMS: the private key never leaves the service, which signs a digest. Logins come from
 * where the AWS SDK finds them: variables, files, or the role of the machine.
 */
import { createHash } from 'node:crypto';
import type { KMSClientConfig } from '@aws-sdk/client-kms';
import { isPublicKey } from './file-key.ts';
import { KeyFileError } from './key-file.ts';
import type { KeyMaterial } from './ticket-signer.ts';

export interface KmsPlace {
  /** Its id or ARN; no alias, behind which the key could change. */
  readonly kmsKeyId: string;
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
}

const CONNECT_MS = 2_000;
const ANSWER_MS = 5_000;
const ATTEMPTS = 3;

/** Throws KeyFileError for a key that cannot sign tickets, and what the SDK throws. */
export async function openKmsKey({ kmsKeyId, region, endpoint }: KmsPlace): Promise<KeyMaterial> {
  if (/(^|:)alias\//.test(kmsKeyId))
    throw new KeyFileError('a KMS key must be named by its id or ARN, not by an alias');
  // Loaded late: only services with such a key pay for the SDK.
  const { GetPublicKeyCommand, KMSClient, SignCommand } = await import('@aws-sdk/client-kms');
  const config: KMSClientConfig = {
    ...(region && { region }),
    ...(endpoint && { endpoint }),
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
  };
  const client = new KMSClient(config);
  const { KeyUsage, PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: kmsKeyId }));
  if (!PublicKey || KeyUsage !== 'SIGN_VERIFY' || !isPublicKey(PublicKey)) {
    client.destroy();
    throw new KeyFileError('a KMS key must be ECC_NIST_P256 for SIGN_VERIFY');
  }
  return {
    publicKeyDer: PublicKey,
    sign: async (bytes) => {
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: kmsKeyId,
          Message: createHash('sha256').update(bytes).digest(),
          MessageType: 'DIGEST',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      );
      if (!Signature) throw new Error('KMS has answered no signature');
      return Signature;
    },
    close: () => client.destroy(),
  };
}
